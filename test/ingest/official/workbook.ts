import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { columnName } from '#ingest/sources/kinds/xlsx-rows.ts';

/** A workbook cell; `formula` is written together with its result. */
export type WorkbookCell = string | number | null | { formula: string; result: number };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Fixed creation time of workbooks, so that equal rows give equal bytes. */
const MADE = new Date(Date.UTC(2020, 0, 1));

/** Writes a workbook with one sheet whose texts are in the shared-strings part, as in published files. */
export async function writeWorkbook(
  path: string,
  rows: readonly (readonly WorkbookCell[])[],
  sheet = 'Sheet1',
): Promise<void> {
  const texts = new Map<string, number>();
  const lines = rows.map((cells, at) => {
    const written = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${at + 1}`, texts));
    return `<row r="${at + 1}">${written.join('')}</row>`;
  });
  const items = [...texts.keys()].map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`);
  const xml = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}" uniqueCount="${texts.size}">${items.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
  };
  const parts = Object.entries(xml).map(([name, text]) => [name, [Buffer.from(DECLARATION + text)]] as const);
  await writeParts(path, Object.fromEntries(parts));
}

/** Writes an archive of the given parts. */
export async function writeParts(path: string, parts: Readonly<Record<string, Iterable<Buffer>>>): Promise<void> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addReadStream(Readable.from(content), name, { mtime: MADE });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

function cellXml(cell: WorkbookCell, reference: string, texts: Map<string, number>): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'object') return `<c r="${reference}"><f>${escapeXml(cell.formula)}</f><v>${cell.result}</v></c>`;
  const known = texts.get(cell) ?? texts.size;
  texts.set(cell, known);
  return `<c r="${reference}" t="s"><v>${known}</v></c>`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
