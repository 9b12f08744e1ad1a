import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Problem, say } from './say.mjs';

/** Files that pages load, with their sources. */
const ENTRIES = {
  'site.css': 'site/styles/site.css',
  'reference.css': 'site/styles/reference.css',
  'guides.css': 'site/styles/guides.css',
  'explorer.css': 'site/styles/explorer.css',
  'console.css': 'site/styles/console.css',
  'map.css': 'maplibre-gl/dist/maplibre-gl.css',
  'site.js': 'site/web/site.ts',
  'guides.js': 'site/web/guides.ts',
  'home.js': 'site/web/home.ts',
  'listing.js': 'site/web/listing.ts',
  'explorer.js': 'site/web/explorer/main.tsx',
  'reference.js': 'site/web/reference.ts',
  'map.js': 'site/web/explorer/map.ts',
  'map-worker.js': 'maplibre-gl/dist/maplibre-gl-worker.mjs',
};

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Inputs of the build that no bundle names. The lock file identifies the packages. */
const INPUTS = ['package.json', 'package-lock.json', 'site/web/icon.svg', 'embedded/install/site.mjs'];

/** Region around Saudi Arabia whose land the map draws, in degrees. */
const AROUND = { west: 28, south: 10, east: 66, north: 38 };

/**
 * Builds the styles and scripts of the site into `site/dist` if its sources have changed. The folder is renamed atomically
 * when it is complete, so that concurrent installs do not conflict.
 * @param {string} project
 */
export async function buildSite(project) {
  const dist = join(project, 'site', 'dist');
  if (isCurrent(project, join(dist, 'state'))) return;
  const begun = Date.now();
  const require = createRequire(join(project, 'package.json'));
  const work = mkdtempSync(join(project, 'site', 'building-'));
  try {
    const manifest = {};
    const inputs = new Set(INPUTS);
    const add = (/** @type {string} */ name, /** @type {Buffer} */ contents) => {
      manifest[name] = write(work, name, contents);
    };
    for (const [name, source] of Object.entries(ENTRIES)) {
      const { contents, fonts, sources } = await bundle(require, project, source);
      add(name, contents);
      for (const each of sources) inputs.add(each);
      for (const { file, bytes } of fonts) {
        writeFileSync(join(work, file), bytes);
        manifest[file] = { file, type: TYPES['.woff2'], bytes: bytes.length };
      }
    }
    add('icon.svg', readFileSync(join(project, 'site', 'web', 'icon.svg')));
    add('land.json', Buffer.from(JSON.stringify(landAround(require))));
    writeFileSync(join(work, 'manifest.json'), JSON.stringify(manifest, null, 1));
    writeFileSync(join(work, 'state'), JSON.stringify(digestsOf(project, [...inputs].sort()), null, 1));
    // The service may run as another user.
    chmodSync(work, 0o755);
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(join(dist, '..'), { recursive: true });
    try {
      renameSync(work, dist);
    } catch (error) {
      // A concurrent install completed first.
      if (!existsSync(join(dist, 'state'))) throw error;
    }
  } catch (error) {
    const [reason] = String(error.message ?? error).split('\n');
    throw new Problem(`The site could not be built: ${reason}`, [
      'If its packages are broken, reinstall them: rm -rf node_modules && npm ci',
    ]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  say(`Site built in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
}

/**
 * Returns whether the files that the last build read are unchanged. A new file becomes an input only by a change of a
 * file that imports it.
 * @param {string} project @param {string} state path of the digests of the last build
 */
function isCurrent(project, state) {
  try {
    const built = readFileSync(state, 'utf8');
    return built === JSON.stringify(digestsOf(project, Object.keys(JSON.parse(built))), null, 1);
  } catch {
    // Nothing was built, or an input was removed.
    return false;
  }
}

/**
 * Returns the digests of files by path.
 * @param {string} project @param {readonly string[]} paths
 */
const digestsOf = (project, paths) =>
  Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(project, path)))
        .digest('hex'),
    ]),
  );

/**
 * Returns a style sheet or script, the fonts that it refers to by their names, and its sources in the project.
 * @param {NodeJS.Require} require @param {string} project @param {string} source
 */
async function bundle(require, project, source) {
  const esbuild = require('esbuild');
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: project,
    entryPoints: [source.startsWith('site/') ? join(project, source) : source],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: join(project, 'site', 'dist'),
    format: 'esm',
    target: ['es2022'],
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'file', '.svg': 'dataurl' },
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
    logLevel: 'error',
  });
  const wanted = extname(source) === '.css' ? '.css' : '.js';
  const file = outputFiles.find((/** @type {{ path: string }} */ each) => each.path.endsWith(wanted));
  const fonts = outputFiles
    .filter((/** @type {{ path: string }} */ each) => each.path.endsWith('.woff2'))
    .map(({ path, contents: bytes }) => ({ file: basename(path), bytes }));
  const sources = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'));
  return { contents: Buffer.from(file.contents), fonts, sources };
}

/** Writes a file, plain and compressed, under a name that contains a hash of its contents. */
function write(/** @type {string} */ folder, /** @type {string} */ name, /** @type {Buffer} */ contents) {
  const extension = extname(name);
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  const file = `${basename(name, extension)}-${digest}${extension}`;
  // At the best quality, the largest files would take most of the build time.
  const quality = contents.length > 1_000_000 ? 6 : 11;
  const br = brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  writeFileSync(join(folder, file), contents);
  writeFileSync(join(folder, `${file}.br`), br);
  return { file, type: TYPES[extension], bytes: contents.length, br: br.length };
}

/** Returns the countries of Natural Earth as GeoJSON, limited to polygons with a corner in the region `AROUND`. */
function landAround(/** @type {NodeJS.Require} */ require) {
  const { feature } = require('topojson-client');
  const topology = JSON.parse(readFileSync(require.resolve('world-atlas/countries-10m.json'), 'utf8'));
  const near = ([lng, lat]) => lng > AROUND.west && lng < AROUND.east && lat > AROUND.south && lat < AROUND.north;
  const round = (/** @type {number} */ value) => Math.round(value * 1000) / 1000;
  const features = feature(topology, topology.objects.countries).features.flatMap(({ id, geometry }) => {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    const kept = polygons
      .filter((rings) => rings[0].some(near))
      .map((rings) => rings.map((ring) => ring.map(([lng, lat]) => [round(lng), round(lat)])));
    const home = id === '682';
    return kept.length === 0
      ? []
      : [{ type: 'Feature', properties: { home }, geometry: { type: 'MultiPolygon', coordinates: kept } }];
  });
  return { type: 'FeatureCollection', features };
}
