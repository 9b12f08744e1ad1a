/** Removes byte-order marks, also those of files that were joined. */
export const withoutMark = (text: string): string => text.replace(/^\ufeff+/, '');

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
const QUOTES = /^["'“”«»\s]+|(?<!["'“”«»\s])["'“”«»\s]+$/g;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** The name in a header or of a property: without invisible marks, quotes and space around it. */
export const headerName = (text: string): string => withoutInvisible(text).replace(QUOTES, '').replace(/\s+/g, ' ');
