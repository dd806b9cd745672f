/** Videos whose every picture is known, made once and kept in the folder of temporary files. */
import { spawn } from 'node:child_process'
import { access, mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'

const FOLDER = join(tmpdir(), 'onecut-picture-sources')

type Rgb = readonly [number, number, number]

/** White, skin, grey, light skin, dark skin, red: as they look on a screen, 0..255. */
export const PATCHES: readonly Rgb[] = [
  [255, 255, 255],
  [213, 165, 140],
  [120, 120, 120],
  [250, 190, 160],
  [90, 60, 50],
  [200, 40, 40],
]
/** Bits of the number that each picture of the uneven source carries. */
export const BITS = 12
/** Pictures of it in a row, of which the last is left out. */
export const OF_WHICH_ONE_IS_LEFT_OUT = 7

/**
 * The path of a file by ffmpeg's arguments, made if it is not there; `raw` is its standard input.
 */
async function made(
  name: string,
  args: readonly string[],
  raw?: Iterable<Buffer>,
): Promise<string> {
  await mkdir(FOLDER, { recursive: true })
  const path = join(FOLDER, name)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return path
  const half = join(FOLDER, `half-${process.pid}-${name}`)
  const child = spawn('ffmpeg', ['-v', 'error', '-y', ...args, half], {
    stdio: [raw === undefined ? 'ignore' : 'pipe', 'inherit', 'inherit'],
  })
  const ended = once(child, 'close')
  for (const frame of raw ?? [])
    if (child.stdin?.write(frame) === false) await once(child.stdin, 'drain')
  child.stdin?.end()
  const [exitCode] = await ended
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${exitCode} while it made ${name}`)
  await rename(half, path)
  return path
}

const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'] as const
/** Sound that is copied keeps the name of its encoder, so none is written here. */
const AAC = ['-c:a', 'aac', '-flags:a', '+bitexact'] as const
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18'] as const

/** Moving pictures with sound in one size, at 30 a second. */
export function plain(size: string, seconds: number): Promise<string> {
  const picture = `testsrc2=size=${size}:rate=30,noise=alls=6:allf=t`
  return made(`plain-${size}-${seconds}.mp4`, [
    '-f',
    'lavfi',
    '-i',
    picture,
    ...SOUND,
    '-t',
    String(seconds),
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-b:v',
    size === '3840x2160' ? '30M' : '8M',
    '-pix_fmt',
    'yuv420p',
    ...AAC,
  ])
}

/** 1080p of a camera in poor light, with hiss over different sounds on the left and the right. */
export function noisy(seconds: number): Promise<string> {
  const sides = 'sin(440*2*PI*t)/4+random(0)/40|sin(440*2*PI*t)/4+sin(550*2*PI*t)/4+random(1)/40'
  return made(`noisy-${seconds}.mp4`, [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=1920x1080:rate=30,noise=alls=22:allf=t:all_seed=5',
    '-f',
    'lavfi',
    '-i',
    `aevalsrc=${sides}:s=48000`,
    '-t',
    String(seconds),
    ...H264,
    '-pix_fmt',
    'yuv420p',
    ...AAC,
  ])
}

/** 25 pictures a second of two fields each, 20 ms apart, as television has them. */
export function interlaced(seconds: number): Promise<string> {
  return made(`interlaced-${seconds}.mp4`, [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=640x480:rate=50',
    ...SOUND,
    '-t',
    String(seconds),
    '-vf',
    'scroll=horizontal=0.004,tinterlace=interleave_top,setfield=tff',
    ...H264,
    '-flags',
    '+ilme+ildct',
    '-pix_fmt',
    'yuv420p',
    ...AAC,
  ])
}

/**
 * The same as tapes and capture cards leave it, without a word in the header: `dv` is PAL DV, whose
 * pictures alone say it, `unsaid` says nowhere that its pictures have fields, lower ones first.
 */
export async function undeclared(
  kind: 'dv' | 'unsaid',
  seconds: number,
): Promise<{ path: string; size: { width: number; height: number } }> {
  const size = kind === 'dv' ? { width: 720, height: 576 } : { width: 320, height: 240 }
  const source = `testsrc2=size=${size.width}x${size.height}:rate=50,scroll=horizontal=0.02,tinterlace=interleave_bottom`
  const path = await made(`${kind}-${seconds}.${kind === 'dv' ? 'avi' : 'mp4'}`, [
    '-f',
    'lavfi',
    '-i',
    kind === 'dv' ? `${source},fieldorder=bff` : `${source},setfield=prog`,
    ...SOUND,
    '-t',
    String(seconds),
    ...(kind === 'dv' ? ['-target', 'pal-dv'] : [...H264, '-pix_fmt', 'yuv420p', ...AAC]),
  ])
  return { path, size }
}

/** 30 pictures a second with their numbers, of which every seventh is left out. */
export function uneven(seconds: number): Promise<string> {
  const count = seconds * 30
  function* frames(): Generator<Buffer> {
    for (let number = 0; number < count; number += 1) {
      const row = Buffer.alloc(BITS * 32)
      for (let bit = 0; bit < BITS; bit += 1)
        row.fill(((number >> bit) & 1) === 1 ? 220 : 30, bit * 32, (bit + 1) * 32)
      yield Buffer.concat(Array.from({ length: 96 }, () => row))
    }
  }
  return made(
    `uneven-${seconds}.mp4`,
    [
      '-f',
      'rawvideo',
      '-pix_fmt',
      'gray',
      '-s',
      `${BITS * 32}x96`,
      '-r',
      '30',
      '-i',
      '-',
      ...SOUND,
      '-t',
      String(seconds),
      '-vf',
      `select='lt(mod(n,${OF_WHICH_ONE_IS_LEFT_OUT}),${OF_WHICH_ONE_IS_LEFT_OUT - 1})'`,
      '-fps_mode',
      'vfr',
      ...H264,
      '-pix_fmt',
      'yuv420p',
      ...AAC,
    ],
    frames(),
  )
}

type Weights = readonly [red: number, blue: number]
const WEIGHTS = {
  bt601: [0.299, 0.114],
  bt709: [0.2126, 0.0722],
  bt2020: [0.2627, 0.0593],
} as const satisfies Readonly<Record<string, Weights>>

/** Upright stripes of the patches as planes of Y, Cb and Cr, by values of 0..1. */
function stripes(
  patches: readonly Rgb[],
  [red, blue]: Weights,
  {
    width,
    height,
    bits,
  }: { readonly width: number; readonly height: number; readonly bits: 8 | 10 },
): Buffer {
  const unit = bits / 8 > 1 ? 2 : 1
  const stretch = 2 ** (bits - 8)
  const coded = patches.map(([r, g, b]): Rgb => {
    const y = red * r + (1 - red - blue) * g + blue * b
    return [16 + 219 * y, 128 + (112 * (b - y)) / (1 - blue), 128 + (112 * (r - y)) / (1 - red)]
  })
  const plane = (part: 0 | 1 | 2, by: 1 | 2): Buffer => {
    const row = Buffer.alloc((width / by) * unit)
    for (let x = 0; x < width / by; x += 1) {
      const patch = coded[Math.floor((x * by * coded.length) / width)]
      const value = Math.round((patch?.[part] ?? 0) * stretch)
      if (unit === 2) row.writeUInt16LE(value, x * 2)
      else row.writeUInt8(value, x)
    }
    return Buffer.concat(Array.from({ length: height / by }, () => row))
  }
  return Buffer.concat([plane(0, 1), plane(1, 2), plane(2, 2)])
}

/** The patches in a size, tagged with a matrix that is not the usual one of it. */
export function oddMatrix(size: '1280x720' | '640x360', seconds: number): Promise<string> {
  const [matrix, tag] =
    size === '1280x720' ? (['bt601', 'smpte170m'] as const) : (['bt709', 'bt709'] as const)
  const [width = 0, height = 0] = size.split('x').map(Number)
  const values = PATCHES.map(([r, g, b]): Rgb => [r / 255, g / 255, b / 255])
  const frame = stripes(values, WEIGHTS[matrix], { width, height, bits: 8 })
  return made(
    `matrix-${size}-${seconds}.mp4`,
    [
      '-f',
      'rawvideo',
      '-pix_fmt',
      'yuv420p',
      '-s',
      size,
      '-r',
      '25',
      '-i',
      '-',
      ...H264,
      '-colorspace',
      tag,
      '-color_primaries',
      tag,
      '-color_trc',
      tag,
    ],
    Array.from({ length: 25 * seconds }, () => frame),
  )
}

/** The patches as HDR video in which white has 203 nits. */
export function hdr(curve: 'pq' | 'hlg'): Promise<string> {
  const [width, height] = [384, 96]
  const frame = stripes(PATCHES.map(CURVES[curve]), WEIGHTS.bt2020, { width, height, bits: 10 })
  const transfer = curve === 'pq' ? 'smpte2084' : 'arib-std-b67'
  return made(
    `hdr-${curve}.mp4`,
    [
      '-f',
      'rawvideo',
      '-pix_fmt',
      'yuv420p10le',
      '-s',
      `${width}x${height}`,
      '-r',
      '25',
      '-i',
      '-',
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-tag:v',
      'hvc1',
      '-x265-params',
      `log-level=error:crf=8:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`,
    ],
    Array.from({ length: 25 * 4 }, () => frame),
  )
}

/** Light of a colour on a screen by the primaries of BT.2020, white = 1. */
function lightOf(patch: Rgb): Rgb {
  const [r, g, b] = patch.map((value) => (value / 255) ** 2.4) as unknown as Rgb
  return [
    0.6274 * r + 0.3293 * g + 0.0433 * b,
    0.0691 * r + 0.9195 * g + 0.0114 * b,
    0.0164 * r + 0.088 * g + 0.8956 * b,
  ]
}

const WHITE_NITS = 203
/** SMPTE ST 2084 and ARIB STD-B67, as ITU-R BT.2100 has them. */
const CURVES: Readonly<Record<'pq' | 'hlg', (patch: Rgb) => Rgb>> = {
  pq: (patch) =>
    lightOf(patch).map((light) => {
      const y = ((light * WHITE_NITS) / 10_000) ** 0.1593017578125
      return ((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y)) ** 78.84375
    }) as unknown as Rgb,
  hlg: (patch) => {
    const shown = lightOf(patch).map((light) => (light * WHITE_NITS) / 1000) as unknown as Rgb
    const y = 0.2627 * shown[0] + 0.678 * shown[1] + 0.0593 * shown[2]
    return shown.map((light) => {
      const scene = light * y ** ((1 - 1.2) / 1.2)
      return scene <= 1 / 12
        ? Math.sqrt(3 * scene)
        : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073
    }) as unknown as Rgb
  },
}

/** Fine shapes that move, with grain, for all the places of a watermark. */
export async function grainy(): Promise<string> {
  const picture = 'mandelbrot=s=1280x720:r=10:start_scale=0.5:end_scale=0.05:end_pts=400'
  const noise = ['-vf', 'noise=alls=3:allf=t:all_seed=1,format=yuv420p', '-t', '64']
  return await made('grainy.mp4', ['-f', 'lavfi', '-i', picture, ...noise, ...H264])
}

/** What a mark is read on, one after another while it rests. */
export const GROUNDS = ['white', 'black', 'grey', 'coarse checks', 'fine checks'] as const
/** How many pictures each of them has, of five a second. */
export const GROUND_PICTURES = 6

/** All grounds, each a fifth of the time for which a watermark rests. */
export async function onGrounds(size: string): Promise<string> {
  const [width = 0] = size.split('x').map(Number)
  const checks = (cell: number): string =>
    `geq=lum='if(mod(floor(X/${cell})+floor(Y/${cell}),2),235,16)':cb=128:cr=128`
  const shown = ['color=white', 'color=black', 'color=gray'].map((color) => `${color}:s=${size}`)
  const checkered = [width / 20, width / 80].map((cell) => `color=s=${size},${checks(cell)}`)
  const inputs = [...shown, ...checkered].flatMap((graph) => {
    const [color = '', ...filters] = graph.split(',')
    return ['-f', 'lavfi', '-i', [`${color}:r=5:d=${GROUND_PICTURES / 5}`, ...filters].join(',')]
  })
  const concat = ['-filter_complex', `concat=n=${GROUNDS.length}`, '-pix_fmt', 'yuv420p']
  return await made(`grounds-${size}.mp4`, [...inputs, ...concat, ...H264])
}
