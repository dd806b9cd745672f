/**
 * What making an edit costs: processor time beside that of a command written by hand, and the
 * memory of its largest ffmpeg.
 */
import { join } from 'node:path'
import { projectRoot } from '#server/project-root.ts'
import type { Figure } from './figure.ts'
import { logoSource } from './trailer-sources.ts'
import { noisy, plain } from '#tests/setup/picture-sources.ts'
import { costOfCommand, probed, renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'

const long = { name: '90 s of 1080p', make: () => plain('1920x1080', 90) }
const short = { name: '20 s of 1080p', make: () => plain('1920x1080', 20) }
const large = { name: '12 s of 4K', make: () => plain('3840x2160', 12) }
const grained = { name: '60 s of 1080p with grain and hiss', make: () => noisy(60) }

const TRAILER = { includeKumshot: false }
const TEXT = { text: '@name' }
const CUT = { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] }
const SAMPLES = {
  maximumDuration: 20_000,
  segmentCount: 4,
  offsetStartMs: 0,
  offsetEndMs: 0,
  introMediaAssetIds: [],
  outroMediaAssetIds: [],
}
const BRAND = {
  introBrandLogoVideoMediaAssetId: 'logo',
  outroBrandLogoVideoMediaAssetId: 'logo',
}

/** The section `cost` of `npm run bench -- edits`. */
export async function* cost(): AsyncIterable<Figure> {
  const ffmpeg = await serverFfmpeg()
  const logo = await logoSource()
  const given = {
    assets: [{ id: 'logo', kind: 'video' as const, probe: await probed(ffmpeg, logo) }],
    paths: { assetPaths: new Map([['logo', logo]]) },
  }
  for (const [source, slug, payload] of [
    [long, 'teaser-15s', undefined],
    [long, 'teaser-60s', undefined],
    [long, 'tube-cut', CUT],
    [long, 'still-pack', undefined],
    [long, 'social-media-gif-pack', undefined],
    [long, 'short-trailer-gif', TRAILER],
    [long, 'uniform-sampling', SAMPLES],
    [long, 'team-skeet-trailer', BRAND],
    [long, 'team-skeet-thumbnail-video', undefined],
    [short, 'example-low-resolution-video', undefined],
    [short, 'example-high-resolution-video', undefined],
    [short, 'dynamic-watermark', TEXT],
    [grained, 'blur-video-and-audio', undefined],
    [grained, 'denoised-full-scene', undefined],
    [grained, 'enhanced-audio-full-scene', undefined],
    [grained, 'remove-background-music', undefined],
    [grained, 'voice-mask-full-scene', undefined],
    [large, 'dynamic-watermark', TEXT],
    [large, 'teaser-15s', undefined],
  ] as const) {
    const path = await source.make()
    const edit = await renderEdit(ffmpeg, slug, payload, path, given)
    const value = edit.peakBytes / 1e6
    yield { edit: slug, of: `memory, ${source.name}`, value, unit: 'MB', bound: { atMost: 700 } }
    yield { edit: slug, of: `processor time, ${source.name}`, value: edit.cpuSeconds, unit: 's' }
    const byHand = source === large ? undefined : BY_HAND[slug]?.(path, logo)
    if (byHand === undefined) continue
    const { cpuSeconds } = await costOfCommand(byHand, 'by-hand')
    yield {
      edit: slug,
      of: 'processor time by that of one command written by hand',
      value: edit.cpuSeconds / cpuSeconds,
      unit: '',
      bound: { atMost: 1.1 },
    }
  }
}

const DELIVERED =
  '-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p -c:a aac -b:a 160k -f mp4'.split(' ')
/** A loop for a listing: the smallest file, as the edit has it. */
const SMALL =
  '-c:v libx264 -preset slow -crf 23 -maxrate 640k -bufsize 640k -pix_fmt yuv420p -f mp4'.split(' ')
const LEVEL = 'loudnorm=I=-16:TP=-1.5:LRA=11,aformat=sample_rates=48000:channel_layouts=stereo'

/** Of what ffmpeg has, the filter that takes most of a hiss. */
const QUIET = 'afftdn=nr=24:nf=-30:tn=1'
/** A deeper voice, as people make one who have nothing but ffmpeg. It is known again. */
const DEEPER = 'asetrate=48000*0.8,aresample=48000,atempo=1.25'

const FONT = join(projectRoot, 'recipes/fonts/watermark.ttf')
/** The same work as one command, up to the name of its last file. */
const BY_HAND: Readonly<Record<string, (path: string, logo: string) => readonly string[]>> = {
  'teaser-15s': (path) => fadedByHand(path, { lengthS: 15, pieces: 6, fadeS: 0.25 }),
  'teaser-60s': (path) => fadedByHand(path, { lengthS: 60, pieces: 14, fadeS: 0.35 }),
  'tube-cut': (path) => joinedByHand([5, 35, 65].map((atS) => passage(path, atS, 20 / 3))),
  'uniform-sampling': (path) => joinedByHand([8, 31, 53, 76].map((atS) => passage(path, atS, 5))),
  'team-skeet-trailer': (path, logo) =>
    joinedByHand([
      ['-i', logo],
      ...Array.from({ length: 18 }, (_, index) => passage(path, 1 + index * 4.9, 60 / 18)),
      ['-i', logo],
    ]),
  'team-skeet-thumbnail-video': circleByHand,
  'example-low-resolution-video': (path) => [
    '-i',
    path,
    ...'-vf scale=852:480 -c:v libx264 -preset medium -crf 22 -pix_fmt yuv420p'.split(' '),
    '-af',
    LEVEL,
    ...'-c:a aac -b:a 160k -f mp4'.split(' '),
  ],
  'example-high-resolution-video': (path) => [
    '-i',
    path,
    ...'-c:v libx264 -preset medium -crf 17 -pix_fmt yuv420p -c:a copy -f mp4'.split(' '),
  ],
  'short-trailer-gif': trailerGifByHand,
  'blur-video-and-audio': (path) => [
    '-i',
    path,
    ...'-vf scale=34:20,gblur=sigma=1.2,noise=alls=2:allf=t,scale=1280:720:flags=bicubic'.split(
      ' ',
    ),
    ...'-c:v libx264 -preset veryfast -crf 28 -maxrate 240k -bufsize 480k -pix_fmt yuv420p'.split(
      ' ',
    ),
    '-af',
    `${DEEPER},lowpass=f=400,${LEVEL}`,
    ...'-c:a aac -b:a 48k -f mp4'.split(' '),
  ],
  'denoised-full-scene': (path) => [
    '-i',
    path,
    ...'-vf atadenoise=0a=0.2:0b=0.4:1a=0.2:1b=0.4:2a=0.2:2b=0.4:s=9'.split(' '),
    '-af',
    `${QUIET},${LEVEL}`,
    ...DELIVERED,
  ],
  'enhanced-audio-full-scene': (path) =>
    soundByHand(path, `${QUIET},acompressor=threshold=0.06:ratio=1.6:attack=15:release=250`),
  'remove-background-music': (path) =>
    soundByHand(path, 'dialoguenhance=original=0:enhance=3:voice=2,pan=stereo|c0=c2|c1=c2'),
  'voice-mask-full-scene': (path) => soundByHand(path, DEEPER),
  'still-pack': stillsByHand,
  'social-media-gif-pack': gifsByHand,
  'dynamic-watermark': (path) => [
    '-i',
    path,
    '-vf',
    `drawtext=fontfile=${FONT}:text=@name:fontsize=34:fontcolor=white@0.78:borderw=2:x=40:y=40`,
    ...DELIVERED,
  ],
}

/** The picture as it is, and the sound through filters. */
function soundByHand(path: string, chain: string): readonly string[] {
  const sound = ['-af', `${chain},${LEVEL}`, ...'-c:a aac -b:a 160k'.split(' ')]
  return ['-i', path, '-c:v', 'copy', ...sound, '-f', 'mp4']
}

interface Faded {
  readonly lengthS: number
  readonly pieces: number
  readonly fadeS: number
}

/** Passages of the same length from the whole source, faded into each other in one graph. */
function fadedByHand(path: string, { lengthS, pieces, fadeS }: Faded): readonly string[] {
  const pieceS = (lengthS + (pieces - 1) * fadeS) / pieces
  const all = [...Array.from({ length: pieces }).keys()]
  const graph = all.map((index) => `[${index}:v]settb=AVTB[p${index}]`)
  for (const index of all.slice(1))
    graph.push(
      `[${index === 1 ? 'p0' : `x${index - 1}`}][p${index}]xfade=duration=${fadeS}:offset=${(index * (pieceS - fadeS)).toFixed(3)}[x${index}]`,
      `[${index === 1 ? '0:a' : `s${index - 1}`}][${index}:a]acrossfade=d=${fadeS}[s${index}]`,
    )
  graph.push(`[s${pieces - 1}]${LEVEL}[s]`)
  return [
    ...all.flatMap((index) => passage(path, (index * 84) / pieces, pieceS)),
    '-filter_complex',
    graph.join(';'),
    '-map',
    `[x${pieces - 1}]`,
    '-map',
    '[s]',
    ...DELIVERED,
  ]
}

/** Inputs one after the other, with hard cuts between them. */
function joinedByHand(inputs: readonly (readonly string[])[]): readonly string[] {
  const all = [...inputs.keys()]
  const shaped = all.map(
    (index) => `[${index}:v]fps=30,scale=1920:1080,setsar=1,format=yuv420p[v${index}]`,
  )
  const joined = `${all.map((index) => `[v${index}][${index}:a]`).join('')}concat=n=${all.length}:v=1:a=1[v][j]`
  return [
    ...inputs.flat(),
    '-filter_complex',
    [...shaped, joined, `[j]${LEVEL}[a]`].join(';'),
    '-map',
    '[v]',
    '-map',
    '[a]',
    ...DELIVERED,
  ]
}

/** The passages that the edit takes, small and faded into each other, the last into the first. */
function circleByHand(path: string): readonly string[] {
  const all = [0, 1, 2, 3, 4]
  const graph = [
    ...all.map((index) => `[${index}:v]scale=480:270,settb=AVTB[p${index}]`),
    ...all
      .slice(1)
      .map(
        (index) =>
          `[${index === 1 ? 'p0' : `x${index - 1}`}][p${index}]xfade=duration=0.2:offset=${(index * 1.6).toFixed(1)}[x${index}]`,
      ),
    '[x4]split[y][z];[y]trim=start=0.2,setpts=PTS-STARTPTS[body];[z]trim=end=0.2[head]',
    '[body][head]xfade=duration=0.2:offset=7.8[v]',
  ]
  return [
    ...[10.266, 27.166, 44.1, 61.033, 77.933].flatMap((atS) => passage(path, atS, 1.8)),
    '-filter_complex',
    graph.join(';'),
    '-map',
    '[v]',
    '-an',
    ...SMALL,
  ]
}

/** Twelve pictures and, of the same decoding, the sheet with their times. */
function stillsByHand(path: string): readonly string[] {
  const all = Array.from({ length: 12 }, (_, index) => index)
  const label = `drawtext=fontfile=${FONT}:text=0-00:fontsize=20:fontcolor=white:box=1:boxcolor=black@0.55:x=380:y=240`
  const stills = all.map(
    (index) =>
      `[${index}:v]trim=end_frame=1,format=yuvj420p,split[s${index}][c${index}];[c${index}]scale=480:270,${label}[l${index}]`,
  )
  const sheet = `${all.map((index) => `[l${index}]`).join('')}concat=n=12,tile=4x3[v]`
  const picture = ['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '2', '-f', 'mjpeg']
  return [
    ...all.flatMap((index) => ['-ss', String(3 + index * 7), '-i', path]),
    '-filter_complex',
    [...stills, sheet].join(';'),
    ...all.flatMap((index) => ['-map', `[s${index}]`, ...picture, '/dev/null']),
    '-map',
    '[v]',
    ...picture,
  ]
}

/** Three GIFs, each with a palette of its own, and a clip whose end fades into its beginning. */
function gifsByHand(path: string): readonly string[] {
  const gif = (index: number, size: string): string =>
    `[${index}:v]fps=25/2,${size},split[a${index}][b${index}];[a${index}]palettegen=max_colors=192[p${index}];[b${index}][p${index}]paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle[g${index}]`
  const graph = [
    gif(0, 'scale=854:480,crop=480:480'),
    gif(1, 'scale=480:270'),
    gif(2, 'scale=1138:640,crop=360:640'),
    '[3:v]scale=1280:720,split[x][y];[x]trim=end=0.8,setpts=PTS-STARTPTS[first]',
    '[y]trim=start=0.8,setpts=PTS-STARTPTS[rest];[rest][first]xfade=duration=0.8:offset=2.4[v]',
  ]
  return [
    ...[5, 25, 45].flatMap((atS) => passage(path, atS, 3)),
    ...passage(path, 65, 4),
    '-filter_complex',
    graph.join(';'),
    ...[0, 1, 2].flatMap((index) => ['-map', `[g${index}]`, '-f', 'gif', '/dev/null']),
    '-map',
    '[v]',
    '-an',
    ...DELIVERED,
  ]
}

/** Four passages with one palette, at the size and with the colours that the edit ends with. */
function trailerGifByHand(path: string): readonly string[] {
  const graph = [
    ...[0, 1, 2, 3].map((index) => `[${index}:v]fps=25/2,scale=480:270[v${index}]`),
    '[v0][v1][v2][v3]concat=n=4,hqdn3d=2:1.5:4:4,split[a][b]',
    '[a]palettegen=max_colors=192[p];[b][p]paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle[g]',
  ]
  return [
    ...[3.76, 16.16, 28.4, 40.72].flatMap((atS) => passage(path, atS, 1.2)),
    '-filter_complex',
    graph.join(';'),
    '-map',
    '[g]',
    '-f',
    'gif',
  ]
}

function passage(path: string, atS: number, lengthS: number): readonly string[] {
  return ['-ss', String(atS), '-t', lengthS.toFixed(3), '-i', path]
}
