import { readdir, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { AssetSource, SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { checkUpload } from '#server/media/check-upload.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { streamsOf } from '#tests/integration/recipes/measure.ts'
import { keptClip } from './kept.ts'
import { keptJson, keptPlan, SEARCH } from './kept-render.ts'
import { testFfmpeg } from './media.ts'
import { patience } from './patience.ts'
import { rawPictures } from './raw-pictures.ts'
import { printedBy, runTool } from './run-tool.ts'

const RATE = 30
/** Half of them; the others are outros. Ten fit on each side. */
const introsIn = (names: readonly unknown[]): number => Math.ceil(names.length / 2)
/** When each clip flashes and beeps, counted from its beginning, and for how long. */
const CLAP_S = 0.4
const CLAP_LENGTH_S = 0.2
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25']

/** A way for a creator's intro to differ from the video that it stands before. */
interface OddIntro {
  readonly name: string
  readonly size?: string
  readonly rate?: string
  readonly seconds?: number
  /** Left out = a mono tone of 48 kHz; null = no sound. */
  readonly sound?: string | null
  readonly filter?: string
  readonly output?: readonly string[]
}

const LOGO = 'a picture that is transparent in places'
export const ODD_INTROS: Readonly<Record<string, OddIntro>> = {
  'a higher frame rate': { name: 'fast.mp4', rate: '50', size: '640x360' },
  'a film rate and another size': { name: 'film.mp4', rate: '24000/1001', size: '426x240' },
  'turned by 90 degrees': {
    name: 'turned.mp4',
    output: ['-pix_fmt', 'yuv420p', ...H264, '-metadata:s:v', 'rotate=90'],
  },
  'no sound': { name: 'silent.mp4', sound: null },
  'mono of 8 kHz': { name: 'mono.mov', output: ['-c:a', 'pcm_s16le', '-ar', '8000', '-ac', '1'] },
  'six channels': { name: 'six.mp4', output: ['-c:a', 'aac', '-ac', '6'] },
  HDR: {
    name: 'hdr.mp4',
    output: [
      '-pix_fmt',
      'yuv420p10le',
      ...H264,
      '-color_primaries',
      'bt2020',
      '-color_trc',
      'smpte2084',
      '-colorspace',
      'bt2020nc',
    ],
  },
  'a variable frame rate': {
    name: 'variable.mkv',
    // It keeps the picture at which the flash begins.
    filter: "select='not(between(mod(n,7),4,6))'",
    output: ['-pix_fmt', 'yuv420p', ...H264, '-vsync', 'vfr', '-c:a', 'libopus'],
  },
  'sound that starts late': {
    name: 'late.mkv',
    sound: 'itsoffset',
    output: ['-pix_fmt', 'yuv420p', ...H264, '-c:a', 'pcm_s16le'],
  },
  'pixels that are not square': {
    name: 'wide-pixels.mp4',
    size: '360x288',
    filter: 'setsar=64/45',
  },
  'pictures of the full range': {
    name: 'full.mp4',
    output: ['-pix_fmt', 'yuvj420p', ...H264, '-colorspace', 'smpte170m'],
  },
  tiny: { name: 'tiny.webm', size: '32x18', output: ['-c:v', 'libvpx', '-deadline', 'realtime'] },
  long: { name: 'long.mp4', seconds: 6, rate: '5', size: '160x90' },
  'an animated GIF': { name: 'loop.gif', sound: null, output: [] },
  [LOGO]: {
    name: 'logo.png',
    sound: null,
    filter: "format=rgba,geq=r=255:g=0:b=0:a='255*gt(X,W/2)'",
    output: ['-frames:v', '1', '-update', '1'],
  },
}

/**
 * Odd in two things that have nothing to do with each other, for `npm test`: each clip costs ten
 * starts of ffmpeg.
 */
const VERY_ODD_INTROS: Readonly<Record<string, OddIntro>> = {
  'a higher frame rate, and mono of 8 kHz': {
    name: 'fast-mono.mov',
    rate: '50',
    size: '640x360',
    output: ['-pix_fmt', 'yuv420p', ...H264, '-c:a', 'pcm_s16le', '-ar', '8000', '-ac', '1'],
  },
  'turned by 90 degrees, and six channels': {
    name: 'turned-six.mp4',
    output: [
      '-pix_fmt',
      'yuv420p',
      ...H264,
      '-metadata:s:v',
      'rotate=90',
      '-c:a',
      'aac',
      '-ac',
      '6',
    ],
  },
  'a variable frame rate, and sound that starts late': {
    name: 'variable-late.mkv',
    sound: 'itsoffset',
    filter: "select='not(between(mod(n,7),4,6))'",
    output: ['-pix_fmt', 'yuv420p', ...H264, '-vsync', 'vfr', '-c:a', 'pcm_s16le'],
  },
}
const ALL: Readonly<Record<string, OddIntro>> = { ...ODD_INTROS, ...VERY_ODD_INTROS }

/** One of each kind; those that are like others in rate, range or size are in the soak. */
export const FEW_ODD_INTROS: readonly string[] = [
  ...Object.keys(VERY_ODD_INTROS),
  'no sound',
  'HDR',
  'pixels that are not square',
  'an animated GIF',
  LOGO,
]

/** A clip that is black and silent but for the moment in which it flashes and beeps. */
async function makeClap(odd: OddIntro): Promise<string> {
  const { size = '320x240', rate = '25', seconds = 1.2, sound } = odd
  const clap = `between(t,${CLAP_S},${CLAP_S + CLAP_LENGTH_S})`
  // Sound that starts late in the file begins at the beep.
  const late = sound === 'itsoffset' ? CLAP_S : 0
  const beep = `aevalsrc=sin(880*2*PI*t)*between(t\\,${CLAP_S - late}\\,${CLAP_S + CLAP_LENGTH_S - late}):s=48000:d=${seconds - late}`
  const audio =
    sound === null
      ? []
      : [...(late > 0 ? ['-itsoffset', String(late)] : []), '-f', 'lavfi', '-i', beep]
  const picture = `drawbox=color=white:t=fill:enable='${clap}'${odd.filter === undefined ? '' : `,${odd.filter}`}`
  return await keptClip(odd.name, [
    '-f',
    'lavfi',
    '-i',
    `color=black:size=${size}:rate=${rate}:duration=${seconds}`,
    ...audio,
    '-vf',
    picture,
    ...(odd.output ?? ['-pix_fmt', 'yuv420p', ...H264]),
  ])
}

/** A file as the server keeps it after its check. */
async function asChecked(
  path: string,
  purpose: 'media-asset' | 'media-job',
): Promise<{ readonly kind: 'video' | 'image'; readonly probe: SourceProbe }> {
  return await keptJson(['checked', purpose, { file: path }, ...SEARCH], async (scratchDir) => {
    const checked = await checkUpload(await testFfmpeg(), {
      path,
      fileName: basename(path),
      purpose,
      scratchDir,
      signal: AbortSignal.timeout(patience(30)),
    })
    if (!checked.ok) throw new Error(`${path}: ${checked.error.detail}`)
    const { kind, source } = checked.value.probe
    return { kind: kind === 'image' ? kind : 'video', probe: source }
  })
}

/** The odd intros as files and as the server knows them. */
async function makeAssets(
  names: readonly string[],
): Promise<readonly (AssetSource & { readonly path: string })[]> {
  return await Promise.all(
    names.map(async (id) => {
      const odd = ALL[id]
      if (odd === undefined) throw new Error(`There is no intro ${id}`)
      const path = await makeClap(odd)
      // As a video to edit it is looked at once and not five times.
      const purpose = odd.sound === null ? 'media-asset' : 'media-job'
      return { id, path, ...(await asChecked(path, purpose)) }
    }),
  )
}

/** What the pieces of an edit tell players of their pictures: one thing, or some do not play. */
async function headersOf(edit: string): Promise<ReadonlySet<string>> {
  const pieces = (await readdir(edit)).filter((name) => name.startsWith('piece-'))
  const inputs = pieces.flatMap((name) => ['-i', join(edit, name)])
  const maps = pieces.flatMap((_, index) => ['-map', `${index}:v`])
  const hashed = '-c copy -frames:v 1 -f framemd5 -'.split(' ')
  const args = ['-nostdin', '-v', 'error', ...inputs, ...maps, ...hashed]
  const { stdout } = await runTool('ffmpeg', args)
  const hashes = [...stdout.matchAll(/^#extradata.*?([0-9a-f]{32})$/gm)].map(
    ([, hash = '']) => hash,
  )
  expect(hashes).toHaveLength(pieces.length)
  return new Set(hashes)
}

/** Red, green and blue at a place (shares of width and height) and time. */
async function colorAt(path: string, atS: number, x: number, y: number): Promise<number[]> {
  const filter = `crop=2:2:iw*${x}:ih*${y},scale=1:1:flags=area,format=rgb24`
  return [...(await rawPictures(path, filter, { fromS: atS, count: 1 }))]
}

/** Times at which something begins that lies above half, with the samples `perSecond`. */
function onsets(levels: readonly number[], perSecond: number, half: number): readonly number[] {
  return levels.flatMap((level, index) =>
    level > half && (levels[index - 1] ?? 0) <= half ? [index / perSecond] : [],
  )
}

async function flashesOf(path: string): Promise<readonly number[]> {
  const levels = await rawPictures(path, 'scale=8:8:flags=area,scale=1:1:flags=area,format=gray')
  return onsets([...levels], RATE, 100)
}

async function beepsOf(path: string): Promise<readonly number[]> {
  const { stdout } = await printedBy('ffmpeg', [
    '-v',
    'error',
    '-i',
    path,
    '-ac',
    '1',
    '-ar',
    '8000',
    '-f',
    's16le',
    '-',
  ])
  const window = 40
  const levels = Array.from({ length: Math.floor(stdout.length / 2 / window) }, (_, index) =>
    Math.max(
      ...Array.from({ length: window }, (_each, at) =>
        Math.abs(stdout.readInt16LE((index * window + at) * 2)),
      ),
    ),
  )
  return onsets(levels, 8000 / window, 2000)
}

/** When a length has something in it that begins, against the clap of its clip, in whole ms. */
function within(times: readonly number[], fromS: number, lengthS: number): number | null {
  const found = times.find((time) => time >= fromS && time < fromS + lengthS)
  return found === undefined ? null : Math.round((found - fromS - CLAP_S) * 1000)
}

/** A tube cut of a short scene between these intros and outros. */
async function joined(names: readonly string[]) {
  const clip = await makeClap({ name: 'scene.mp4', rate: '30', size: '320x180', seconds: 3 })
  const { probe: source } = await asChecked(clip, 'media-job')
  const assets = await makeAssets(names)
  const ids = assets.map(({ id }) => id)
  const ffmpeg = await testFfmpeg()
  const plan = findRecipe('tube-cut')?.plan(
    source,
    {
      targetDuration: 0,
      introMediaAssetIds: ids.slice(0, introsIn(ids)),
      outroMediaAssetIds: ids.slice(introsIn(ids)),
    },
    { moments: [], assets, availableFilters: ffmpeg.filters, secret: SECRET },
  )
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  const inputs = [clip, ...assets.map(({ path }) => path)]
  const edit = await keptPlan(plan.value, 'odd intros', inputs, async (own) => {
    const assetPaths = new Map<string, string>()
    for (const { id, path } of assets) {
      // Under names as the server gives them.
      const linked = join(own, `asset-${assetPaths.size}${path.slice(path.lastIndexOf('.'))}`)
      await symlink(path, linked)
      assetPaths.set(id, linked)
    }
    const places = { source: clip, folder: own, assetPaths }
    const signal = AbortSignal.timeout(patience(80))
    const material = { source, assets }
    const made = await renderPlan(ffmpeg, plan.value, material, places, signal, () => {})
    if (!made.ok) throw new Error(made.error.detail)
  })
  return { source, assets, edit }
}

/**
 * Expects these intros and outros around a scene to be joined without a jump: each flash is where
 * it belongs, and its beep with it.
 */
export async function expectJoined(names: readonly string[]): Promise<void> {
  const { source, assets, edit } = await joined(names)
  const path = join(edit, 'tube-cut.mp4')
  const [flashes, beeps] = await Promise.all([flashesOf(path), beepsOf(path)])
  let fromS = 0
  const claps = [
    ...assets.slice(0, introsIn(assets)),
    { id: 'the video', kind: 'video', probe: source },
    ...assets.slice(introsIn(assets)),
  ].map(({ id, kind, probe }) => {
    const lengthS = kind === 'image' ? 3 : Math.round((probe.durationMs / 1000) * RATE) / RATE
    const clap = {
      id,
      fromS,
      flash: within(flashes, fromS, lengthS),
      beep: within(beeps, fromS, lengthS),
    }
    fromS += lengthS
    return clap
  })
  for (const { id, flash, beep } of claps.filter((clap) => clap.id !== LOGO)) {
    // A picture of 24 in a second may begin that long after it.
    expect(Math.abs(flash ?? Infinity), `${id} flashes`).toBeLessThan(40)
    const hasSound = ALL[id]?.sound !== null
    expect(beep !== null, `${id} is heard`).toBe(hasSound)
    if (beep !== null) expect(Math.abs((flash ?? 0) - beep), `${id} drifts`).toBeLessThan(40)
  }
  const { video, durationS } = await streamsOf(path)
  expect(video).toMatchObject({ nb_frames: String(Math.round(fromS * RATE)), width: 320 })
  expect(durationS).toBeCloseTo(fromS, 2)
  expect([...(await headersOf(edit))]).toHaveLength(1)
  // The logo is red where it is not transparent, and stands on black.
  const logoS = claps.find(({ id }) => id === LOGO)?.fromS ?? 0
  const [red = 0, green = 255] = await colorAt(path, logoS + 1, 0.7, 0.5)
  expect([red > 235, green < 20]).toEqual([true, true])
  expect(Math.max(...(await colorAt(path, logoS + 1, 0.3, 0.5)))).toBeLessThan(12)
}
