/** Replaces Latin digits by Arabic digits. */
export function arabicDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
}

export function thousands(number: number, mark: string): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, mark);
}
