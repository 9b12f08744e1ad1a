import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;

/**
 * Unpacks a zip file and keeps its file permissions. Not every machine has `unzip`, and not every Java has `jar`.
 * @param {string} file smaller than 4 GB
 * @param {string} folder created if missing
 */
export function unzip(file, folder) {
  const fd = openSync(file, 'r');
  try {
    for (const entry of directory(fd)) {
      const target = normalize(join(folder, entry.name));
      if (!target.startsWith(normalize(folder) + sep)) throw new Error(`${entry.name} leads out of the folder.`);
      if (entry.name.endsWith('/')) {
        mkdirSync(target, { recursive: true });
        continue;
      }
      mkdirSync(dirname(target), { recursive: true });
      // Files are readable for any user that runs the engines, regardless of their permissions in the archive.
      writeFileSync(target, content(fd, entry), { mode: (entry.mode || 0o644) | 0o444 });
    }
  } finally {
    closeSync(fd);
  }
}

/** @param {number} fd @param {number} position @param {number} length */
function read(fd, position, length) {
  const buffer = Buffer.alloc(length);
  if (readSync(fd, buffer, 0, length, position) !== length) throw new Error('The zip file is cut short.');
  return buffer;
}

/** @param {number} fd */
function directory(fd) {
  const size = fstatSync(fd).size;
  // The end record may be followed by a comment of up to 64 KB.
  const tail = read(fd, Math.max(0, size - 65_557), Math.min(size, 65_557));
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error('Not a zip file.');
  const count = tail.readUInt16LE(end + 10);
  const buffer = read(fd, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries = [];
  for (let at = 0; entries.length < count; ) {
    if (buffer.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('The directory of the zip file is broken.');
    const nameLength = buffer.readUInt16LE(at + 28);
    entries.push({
      method: buffer.readUInt16LE(at + 10),
      packed: buffer.readUInt32LE(at + 20),
      mode: (buffer.readUInt32LE(at + 38) >>> 16) & 0o777,
      position: buffer.readUInt32LE(at + 42),
      name: buffer.toString('utf8', at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  return entries;
}

/** @param {number} fd @param {{ name: string, method: number, packed: number, position: number }} entry */
function content(fd, entry) {
  const header = read(fd, entry.position, 30);
  if (header.readUInt32LE(0) !== LOCAL_ENTRY) throw new Error(`${entry.name} is broken.`);
  const start = entry.position + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = read(fd, start, entry.packed);
  if (entry.method === 0) return packed;
  if (entry.method === 8) return inflateRawSync(packed);
  throw new Error(`${entry.name} is packed by a method that is not known (${entry.method}).`);
}
