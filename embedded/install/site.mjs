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
import { basename, dirname, extname, join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
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
  'reference.js': 'site/web/reference.ts',
};

/**
 * Scripts in several files: code that two of them need is in a third one, and code that few visitors need is loaded when it
 * is. The build of MapLibre would contain half of its code twice, for the page and for the worker. Its decoder of MapLibre
 * tiles is left out, because no source of the map has such tiles.
 */
const SPLIT = {
  explorer: { entries: { explorer: 'site/web/explorer/main.tsx' }, alias: {} },
  map: {
    entries: { map: 'site/web/explorer/map.ts', 'map-worker': 'maplibre-gl/src/source/worker.ts' },
    alias: { 'maplibre-gl': 'maplibre-gl/src/index.ts', '@maplibre/mlt': 'site/web/explorer/no-mlt.ts' },
  },
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
    for (const group of Object.keys(SPLIT)) {
      const { files, sources } = await bundleParts(require, project, group);
      for (const each of sources) inputs.add(each);
      for (const { name, file, contents, imports } of files)
        manifest[name] = { ...write(work, name, contents, file), imports };
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
  const { outputFiles, metafile } = await build(require, project, {
    entryPoints: [source.startsWith('site/') ? join(project, source) : source],
    loader: { '.woff2': 'file', '.svg': 'dataurl' },
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
  });
  const wanted = extname(source) === '.css' ? '.css' : '.js';
  const file = outputFiles.find((/** @type {{ path: string }} */ each) => each.path.endsWith(wanted));
  const fonts = outputFiles
    .filter((/** @type {{ path: string }} */ each) => each.path.endsWith('.woff2'))
    .map(({ path, contents: bytes }) => ({ file: basename(path), bytes }));
  return { contents: Buffer.from(file.contents), fonts, sources: ownSources(metafile) };
}

const build = (/** @type {NodeJS.Require} */ require, /** @type {string} */ project, /** @type {object} */ options) =>
  require('esbuild').build({
    absWorkingDir: project,
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
    logLevel: 'error',
    ...options,
  });

const ownSources = (/** @type {{ inputs: Record<string, unknown> }} */ { inputs }) =>
  Object.keys(inputs).filter((path) => !path.includes('node_modules/'));

/**
 * Returns the files of a group of `SPLIT`, each with the files that it imports, and their sources in the project.
 * @param {NodeJS.Require} require @param {string} project @param {string} group
 */
async function bundleParts(require, project, group) {
  const { entries, alias } = SPLIT[group];
  const located = (/** @type {Record<string, string>} */ paths) =>
    Object.fromEntries(
      Object.entries(paths).map(([name, path]) => {
        const [, inPackage] = /^maplibre-gl\/(.*)/.exec(path) ?? [];
        const folder = dirname(require.resolve('maplibre-gl/package.json'));
        return [name, inPackage === undefined ? join(project, path) : join(folder, inPackage)];
      }),
    );
  const { outputFiles, metafile } = await build(require, project, {
    entryPoints: located(entries),
    alias: located(alias),
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: `${group}-part-[hash]`,
    // As in the build of MapLibre, whose fields without values must not replace those of its superclasses.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  });
  const files = outputFiles.map(({ path, contents }) => {
    const file = basename(path);
    const { imports } = metafile.outputs[relative(project, path)];
    const parts = imports.filter(({ kind }) => kind === 'import-statement').map(({ path: part }) => basename(part));
    const entry = file.replace(/-[A-Z0-9]{8}\.js$/, '');
    return {
      name: Object.hasOwn(entries, entry) ? `${entry}.js` : file,
      file,
      contents: Buffer.from(contents),
      imports: parts,
    };
  });
  return { files, sources: ownSources(metafile) };
}

/**
 * Writes a file, plain and compressed, under a name that contains a hash of its contents.
 * @param {string} folder @param {string} name @param {Buffer} contents @param {string} [named] a file name with a hash
 */
function write(folder, name, contents, named) {
  const extension = extname(name);
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  const file = named ?? `${basename(name, extension)}-${digest}${extension}`;
  const br = brotliCompressSync(contents);
  writeFileSync(join(folder, file), contents);
  writeFileSync(join(folder, `${file}.br`), br);
  return { file, type: TYPES[extension], bytes: contents.length, br: br.length };
}

/** Maximum distance in degrees of a simplified border from the original, and the decimals of its corners. */
const BORDERS = { home: { tolerance: 0.002, decimals: 3 }, others: { tolerance: 0.03, decimals: 2 } };

/**
 * Returns the countries of Natural Earth as GeoJSON, limited to polygons with a corner in the region `AROUND`. Borders are
 * simplified before the countries that share them are composed, so that no gaps open between them.
 */
function landAround(/** @type {NodeJS.Require} */ require) {
  const { feature } = require('topojson-client');
  const { transform, arcs, ...topology } = JSON.parse(
    readFileSync(require.resolve('world-atlas/countries-10m.json'), 'utf8'),
  );
  const { countries } = topology.objects;
  const isHome = (/** @type {{ id: string }} */ { id }) => id === '682';
  // A negative index is a border in the opposite direction.
  const ofHome = new Set(
    countries.geometries
      .find(isHome)
      .arcs.flat(3)
      .map((at) => (at < 0 ? ~at : at)),
  );
  const [[scaleLng, scaleLat], [lng0, lat0]] = [transform.scale, transform.translate];
  const simplified = arcs.map((steps, at) => {
    const { tolerance, decimals } = ofHome.has(at) ? BORDERS.home : BORDERS.others;
    let [lng, lat] = [0, 0];
    const points = steps.map(([east, north]) => {
      lng += east;
      lat += north;
      return [lng * scaleLng + lng0, lat * scaleLat + lat0];
    });
    return simplify(points, tolerance).map((point) => point.map((value) => Number(value.toFixed(decimals))));
  });
  const near = ([lng, lat]) => lng > AROUND.west && lng < AROUND.east && lat > AROUND.south && lat < AROUND.north;
  const features = feature({ ...topology, arcs: simplified }, countries).features.flatMap((country) => {
    const { type, coordinates } = country.geometry;
    const polygons = (type === 'Polygon' ? [coordinates] : coordinates).filter((rings) => rings[0].some(near));
    return polygons.length === 0
      ? []
      : [
          {
            type: 'Feature',
            properties: { home: isHome(country) },
            geometry: { type: 'MultiPolygon', coordinates: polygons },
          },
        ];
  });
  return { type: 'FeatureCollection', features };
}

/**
 * Returns the ends of a line and the points that its straight form would miss by more than the tolerance (Douglas-Peucker).
 * @param {readonly number[][]} points @param {number} tolerance @returns {readonly number[][]}
 */
function simplify(points, tolerance) {
  const [[x0, y0], [x1, y1]] = [points[0], points.at(-1)];
  const [east, north] = [x1 - x0, y1 - y0];
  const length = Math.hypot(east, north);
  let [farthest, distance] = [0, 0];
  for (const [at, [x, y]] of points.entries()) {
    const aside = length === 0 ? Math.hypot(x - x0, y - y0) : Math.abs(east * (y - y0) - north * (x - x0)) / length;
    if (aside > distance) [farthest, distance] = [at, aside];
  }
  if (distance <= tolerance) return [points[0], points.at(-1)];
  return [
    ...simplify(points.slice(0, farthest + 1), tolerance).slice(0, -1),
    ...simplify(points.slice(farthest), tolerance),
  ];
}
