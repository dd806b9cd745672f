/**
 * Makes the pictures and loops of the front page in `public/landing`: landscapes that
 * `pictures/landscape.ts` draws become one video, the recipes make their edits of it, and ffmpeg
 * makes small files of those. Takes some minutes. The files are committed, so that building the app
 * needs none of this. It also makes the pictures of `MADE_BY_RECIPES` in `public/presets`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PICTURES, searchMoments } from '#recipes/analysis.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'
import { printArgs, type PathOf } from '#recipes/print-args.ts'
import type { PresetSlug } from '#recipes/define-preset.ts'
import type { Moment, PlanRun, SourceProbe } from '#recipes/types.ts'
import { chromium, ensureTool, ffmpeg } from '#scripts/ensure-tools.ts'
import type { MADE_BY_RECIPES } from '#scripts/pictures/made-by-recipes.ts'
import { drawScene, SCENES } from '#scripts/pictures/landscape.ts'
import { drawLandscapes } from '#scripts/pictures/landscape-video.ts'

const SIZE = { width: 960, height: 540, rate: 24 }
const SCENE_SECONDS = 8
const CARD = 'scale=640:360'
/** A picture of the catalogue. */
const PRESET = 'scale=640:400:force_original_aspect_ratio=increase,crop=640:400'

const target = join(import.meta.dirname, '../public/landing')
const presets = join(import.meta.dirname, '../public/presets')
const tools = { chromium: ensureTool(chromium), ffmpeg: ensureTool(ffmpeg) }
const work = mkdtempSync(join(tmpdir(), 'landing-media-'))
const source: SourceProbe = {
  durationMs: SCENES.length * SCENE_SECONDS * 1000,
  width: SIZE.width,
  height: SIZE.height,
  frameRate: SIZE.rate,
  hasAudio: true,
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioChannels: 2,
  isHdr: false,
  fileName: 'coast-and-hills.mp4',
}
mkdirSync(target, { recursive: true })
try {
  await drawLandscapes(tools.ffmpeg, join(work, 'source.mp4'), {
    ...SIZE,
    secondsOfScene: SCENE_SECONDS,
    // The recipes look for what moves. The hero fades into its own beginning, so its hills stay.
    travelOf: (name) => (name === 'sea' ? 1 : 4),
  })
  drawStills()
  makeHero()
  makeFormats(await findMoments())
  makeVoices()
  makePreview()
} finally {
  rmSync(work, { recursive: true, force: true })
}

function run(...args: readonly string[]): string {
  return execFileSync(tools.ffmpeg, ['-nostdin', '-v', 'error', '-y', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** One picture of a scene at any size. */
function drawStill(name: string, atS: number, width: number, height: number): string {
  const scene = SCENES.find((each) => each.name === name)
  if (scene === undefined) throw new Error(`There is no scene ${name}`)
  const path = join(work, `${name}-${width}.ppm`)
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from(`P6\n${width} ${height}\n255\n`),
      drawScene(scene, atS, width, height),
    ]),
  )
  return path
}

function drawStills(): void {
  for (const [banner, scene] of [
    ['scene', 'sea'],
    ['night', 'aurora'],
  ] as const)
    webp(drawStill(scene, 5, 1280, 720), `banner-${banner}`, 'crop=1280:480:0:200', 78)
  const strip = SCENES.slice(0, 5).map(({ name }) => drawStill(name, 3, 284, 160))
  const each = strip.map((_, at) => `[${at}]crop=128:160[s${at}]`).join(';')
  const all = strip.map((_, at) => `[s${at}]`).join('')
  run(
    ...strip.flatMap((path) => ['-i', path]),
    '-filter_complex',
    `${each};${all}hstack=inputs=5[v]`,
    '-map',
    '[v]',
    ...webpFlags(80),
    join(target, 'strip.webp'),
  )
}

function webpFlags(quality: number): readonly string[] {
  return ['-frames:v', '1', '-c:v', 'libwebp', '-quality', String(quality)]
}

function webp(from: string, name: string, filter: string, quality = 80): void {
  run('-i', from, '-vf', filter, ...webpFlags(quality), join(target, `${name}.webp`))
}

/** The two encodings of a silent loop, and the picture before it plays. */
function loop(from: string, name: string, filter: string, seconds: number, quality = 38): void {
  const cut = ['-t', String(seconds), '-i', from, '-an', '-map_metadata', '-1', '-vf', filter]
  const vp9 = `-c:v libvpx-vp9 -crf ${quality} -b:v 0 -row-mt 1 -deadline good -cpu-used 2`
  const h264 = `-c:v libx264 -crf ${quality - 10} -preset slow -pix_fmt yuv420p -movflags +faststart`
  run(...cut, ...vp9.split(' '), join(target, `${name}.webm`))
  run(...cut, ...h264.split(' '), join(target, `${name}.mp4`))
  webp(from, name, filter)
}

/** The water at sunset, whose end fades into its beginning. */
function makeHero(): void {
  const at = SCENES.findIndex(({ name }) => name === 'sea') * SCENE_SECONDS
  const path = join(work, 'hero.mp4')
  const fade =
    '[0:v]split[a][b];[a]trim=start=1:end=7.9,setpts=PTS-STARTPTS[body];' +
    '[b]trim=end=1,setpts=PTS-STARTPTS[head];[body][head]xfade=transition=fade:duration=1:offset=5.9'
  run(
    '-ss',
    String(at),
    '-t',
    String(SCENE_SECONDS),
    '-i',
    join(work, 'source.mp4'),
    '-filter_complex',
    fade,
    '-c:v',
    'libx264',
    '-crf',
    '12',
    path,
  )
  loop(path, 'hero', 'null', 7, 42)
}

/** What the recipes make of the source: loops for the cards, pictures for the catalogue. */
function makeFormats(moments: readonly Moment[]): void {
  const render = (slug: PresetSlug, payload: unknown): readonly string[] =>
    renderEdit(slug, payload, moments)
  const teaser = one(render('teaser-15s', {}), '.mp4')
  loop(teaser, 'teaser-15s', CARD, 15, 42)
  mosaic(teaser, 'teaser-15s', 15)
  const marked = join(work, 'marked.mp4')
  // Beginning where the name stands well inside the picture.
  run('-ss', '9', '-i', one(render('dynamic-watermark', { text: '@yourname' }), '.mp4'), marked)
  loop(marked, 'dynamic-watermark', CARD, 8)
  // The part with the name, which stands at the right.
  preset(marked, 'dynamic-watermark', 'crop=864:540:96:0,scale=640:400')
  const pack = makePack(render('social-media-gif-pack', {}))
  loop(pack, 'social-media-gif-pack', 'null', 6)
  preset(pack, 'social-media-gif-pack', 'pad=640:400:0:20:0x17132f')
  preset(one(render('still-pack', {}), 'contact-sheet.jpg'), 'still-pack', PRESET)
  const cut = { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] }
  mosaic(one(render('tube-cut', cut), '.mp4'), 'tube-cut', 20)
  const samples = {
    maximumDuration: 12_000,
    segmentCount: 6,
    offsetStartMs: 0,
    offsetEndMs: 0,
    introMediaAssetIds: [],
    outroMediaAssetIds: [],
  }
  mosaic(one(render('uniform-sampling', samples), '.mp4'), 'uniform-sampling', 12)
}

/** The picture of a preset in the catalogue. */
function preset(from: string, slug: (typeof MADE_BY_RECIPES)[number], filter: string): void {
  run('-i', from, '-vf', filter, ...webpFlags(82), join(presets, `${slug}.webp`))
}

/** Six pictures across an edit. */
function mosaic(from: string, slug: (typeof MADE_BY_RECIPES)[number], seconds: number): void {
  const each = `fps=${(6 / (seconds - 1)).toFixed(4)},scale=-2:194,crop=208:194`
  preset(from, slug, `${each},tile=3x2:padding=6:margin=2:color=0x17132f,scale=640:400`)
}

/** The three GIFs of a pack beside one another, as a video. */
function makePack(files: readonly string[]): string {
  const gifs = ['wide', 'square', 'upright'].map((shape) => one(files, `gif-${shape}.gif`))
  const path = join(work, 'pack.mp4')
  const place =
    'color=0x17132f:s=640x360:r=25/2[bg];[0]scale=240:-2[wi];[1]scale=160:160[sq];[2]scale=144:256[up];' +
    '[bg][wi]overlay=28:112:shortest=1[x];[x][sq]overlay=284:100[y];[y][up]overlay=460:52,format=yuv420p'
  run(
    ...gifs.flatMap((gif) => ['-stream_loop', '3', '-i', gif]),
    '-filter_complex',
    place,
    '-t',
    '6',
    '-c:v',
    'libx264',
    '-crf',
    '12',
    path,
  )
  return path
}

/** In the place of portraits: a landscape for each of the made-up people. */
function makeVoices(): void {
  for (const [at, name] of ['peaks', 'forest'].entries()) {
    const scene = SCENES.findIndex((each) => each.name === name)
    const path = join(work, `voice-${name}.mp4`)
    run(
      '-ss',
      String(scene * SCENE_SECONDS),
      '-t',
      '6',
      '-i',
      join(work, 'source.mp4'),
      '-vf',
      'crop=432:540:264:0,scale=576:720',
      '-crf',
      '14',
      path,
    )
    const h264 = '-c:v libx264 -crf 30 -preset slow -pix_fmt yuv420p -movflags +faststart'
    run('-i', path, '-map_metadata', '-1', ...h264.split(' '), join(target, `voice-${at + 1}.mp4`))
    webp(path, `voice-${at + 1}`, 'null')
  }
}

/** What link previews show: 1200x630 with the name and the promise. */
function makePreview(): void {
  const picture = join(work, 'preview.png')
  run('-i', drawStill('dawn', 3, 1200, 675), '-vf', 'crop=1200:630', picture)
  const html = join(work, 'preview.html')
  const [shot, icon] = [join(work, 'shot.png'), join(target, '../icons/icon.svg')]
  writeFileSync(
    html,
    `<!doctype html><style>*{margin:0}body{width:1200px;height:630px;background:url(${picture});color:#fff;font-family:Inter,sans-serif;position:relative}
    div{position:absolute;inset:0;background:linear-gradient(90deg,#0c0c18e6,#0c0c1866 60%,#0c0c1800)}
    img{position:absolute;left:80px;top:84px;width:84px}b{position:absolute;left:184px;top:96px;font-size:52px}
    p{position:absolute;left:80px;top:236px;width:760px;font-size:68px;line-height:1.1;font-weight:800}
    i{position:absolute;left:80px;top:500px;font-style:normal;font-size:32px}</style>
    <div></div><img src="${icon}"><b>Onecut</b><p>Spend Less Time Editing, More Time Living</p><i>One video in, finished edits out.</i>`,
  )
  const flags = '--headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,630'
  execFileSync(
    tools.chromium,
    [
      ...flags.split(' '),
      `--user-data-dir=${join(work, 'profile')}`,
      `--screenshot=${shot}`,
      `file://${html}`,
    ],
    { stdio: 'ignore' },
  )
  run('-i', shot, '-q:v', '4', join(target, 'preview.jpg'))
}

/** Runs a recipe as the server does, and returns the paths of its files. */
function renderEdit(
  slug: PresetSlug,
  payload: unknown,
  moments: readonly Moment[],
): readonly string[] {
  const folder = mkdtempSync(join(work, `${slug}-`))
  const plan = findRecipe(slug)?.plan(source, payload, {
    moments,
    assets: [],
    secret: SECRET_OF_NO_UPLOAD,
  })
  if (plan?.ok !== true) throw new Error(`${slug} has no plan for the source`)
  for (const file of plan.value.files) writeFileSync(join(folder, file.name), file.text)
  for (const step of plan.value.steps) run(...print(step, folder))
  return plan.value.outputs.map(({ name }) => join(folder, name))
}

/** Searched as the server does. */
async function findMoments(): Promise<readonly Moment[]> {
  return await searchMoments(source, (each, onText) => {
    onText(run(...print(each, work)))
    return Promise.resolve(
      each.kind === 'look' ? readFileSync(join(work, PICTURES)) : new Uint8Array(),
    )
  })
}

function print(step: PlanRun, folder: string): readonly string[] {
  const pathOf: PathOf = (place) => {
    switch (place.kind) {
      case 'source':
        return join(work, 'source.mp4')
      case 'font':
        return join(import.meta.dirname, `../recipes/fonts/${place.name}.ttf`)
      case 'scratch':
      case 'output':
        return join(folder, place.name)
      case 'asset':
      case 'music':
        throw new Error('These edits take no assets and no music')
    }
  }
  return printArgs(step, pathOf)
}

function one(files: readonly string[], ending: string): string {
  const found = files.find((file) => file.endsWith(ending))
  if (found === undefined) throw new Error(`No file ends in ${ending}`)
  return found
}
