import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/** Software rendering, because test machines have no graphics card. */
const ARGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-dev-shm-usage'];

/** Path where Debian and other systems install Chromium. */
const INSTALLED = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

/** Folder of the package with a Chromium for 64-bit Linux, which `npm run test:release` installs. */
const PACKAGE = fileURLToPath(new URL('../../../tools/chromium/node_modules/@sparticuz/chromium', import.meta.url));
const PACKED = process.platform === 'linux' && process.arch === 'x64' && existsSync(PACKAGE);

/** Whether `launch` finds a browser. */
export const HAS_CHROMIUM = INSTALLED !== undefined || PACKED;

/** Starts an installed Chromium, or else that of the package. */
export async function launch(): Promise<Pick<Browser, 'close' | 'newContext'>> {
  if (INSTALLED) return chromium.launch({ executablePath: INSTALLED, args: ARGS });
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const browser = await chromium.launch({ ...(await unpack(folder)), args: ARGS });
    return {
      newContext: (options) => browser.newContext(options),
      close: () => browser.close().finally(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Unpacks the browser into a folder, with its libraries and fonts, which a minimal system lacks. */
async function unpack(folder: string): Promise<Pick<LaunchOptions, 'env' | 'executablePath'>> {
  const { inflate } = (await import(pathToFileURL(join(PACKAGE, 'build', 'index.js')).href)) as {
    inflate(file: string): Promise<string>;
  };
  const { TMPDIR } = process.env;
  // The package unpacks into the folder for temporary files, which it reads when called.
  process.env.TMPDIR = folder;
  const unpacked = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'].map((file) =>
    inflate(join(PACKAGE, 'bin', file)),
  );
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  const [executablePath = ''] = await Promise.all(unpacked);
  const fonts = join(folder, 'fonts.conf');
  await writeFile(
    fonts,
    `<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
  );
  return {
    executablePath,
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts },
  };
}
