import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeGreyNoise } from '#tests/setup/grey-noise.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

/** Where the sources are kept from one run of the bench to the next. */
const folder = join(tmpdir(), 'onecut-bench-trailers')

/** Seconds of each class; the classes take turns, each turn with another picture and tone. */
const TURN_S = 8
/** Beside two lively stretches stand a black one, a title and one that stands still. */
const TURNS = ['lively', 'black', 'lively', 'title', 'lively', 'still'] as const

/** Makes a file by ffmpeg, once. */
async function made(name: string, make: (path: string) => readonly string[]): Promise<string> {
  return await once(name, async (path) => {
    await ffmpeg(make(path))
  })
}

/** Makes a file once: half a file is never taken for one. */
async function once(name: string, write: (path: string) => Promise<void>): Promise<string> {
  const path = join(folder, name)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const half = join(folder, `half-${name}`)
  await write(half)
  await rename(half, path)
  return path
}

const encoded = ['-c:v', 'libx264', '-preset', 'superfast', '-crf', '23', '-g', '50', '-c:a', 'aac']

/**
 * A scene of so many turns whose classes are known: black is 16 of 255, all else is brighter. Its
 * sound is speech-like, tones of 220 Hz and more that come and go.
 */
export async function sceneSource(turns: number, size = '640x360'): Promise<string> {
  return await made(`scene-${turns}-${size}.mp4`, (path) => {
    const inputs = Array.from({ length: turns }, (_, index) => pictureOf(index, size))
    const joined = inputs.map((_, index) => `[${index}:v]format=yuv420p,setsar=1[v${index}];`)
    const names = inputs.map((_, index) => `[v${index}]`)
    return [
      ...inputs.flatMap((input) => ['-f', 'lavfi', '-t', String(TURN_S), '-i', input]),
      '-f',
      'lavfi',
      '-t',
      String(turns * TURN_S),
      '-i',
      "aevalsrc='0.3*sin(2*PI*(220+40*floor(t/8))*t)*gt(sin(2*PI*t/6),0)*(0.6+0.4*sin(2*PI*4*t))':s=48000",
      '-filter_complex',
      `${joined.join('')}${names.join('')}concat=n=${turns}:v=1:a=0[v]`,
      '-map',
      '[v]',
      '-map',
      `${turns}:a`,
      '-ac',
      '2',
      ...encoded,
      path,
    ]
  })
}

function pictureOf(index: number, size: string): string {
  switch (TURNS[index % TURNS.length]) {
    case 'lively':
      return `life=s=${size}:r=25:mold=12:seed=${index + 1}:ratio=0.2:death_color=#c04040:life_color=#f0c080,gblur=sigma=2,scroll=h=0.004,eq=brightness=0.15`
    case 'title':
      return `color=0xe8e0d0:s=${size}:r=25,drawbox=x=60:y=100:w=300:h=20:color=0x202020:t=fill`
    case 'still':
      return `gradients=s=${size}:r=25:c0=0x305080:c1=0xa07050:n=2:speed=0.00001:seed=${index}`
    default:
      return `color=black:s=${size}:r=25`
  }
}

/** Noise that no encoder makes small: what a limit on bytes has to hold for. */
export async function noiseSource(seconds: number, size: string): Promise<string> {
  return await made(`noise-${seconds}-${size}.mp4`, (path) => [
    '-f',
    'lavfi',
    '-t',
    String(seconds),
    '-i',
    `testsrc2=s=${size}:r=25,noise=alls=90:allf=t+u,format=yuv420p`,
    ...encoded,
    path,
  ])
}

/** Grey noise, of which GIFs are largest, as high as the upright one of a pack. */
export async function greyNoiseSource(seconds: number): Promise<string> {
  return await once(`grey-noise-${seconds}.mp4`, (path) => makeGreyNoise(path, 640, seconds))
}

/** How the brightness of `rampSource` tells the place. */
export const RAMP = {
  seconds: 240,
  secondOf: (brightness: number): number => ((((brightness - 16) * 255) / 219 - 30) / 200) * 240,
} as const

/** Mean brightness of each frame, 0 to 255. */
export async function brightness(path: string): Promise<readonly number[]> {
  const text = await ffmpeg([
    '-i',
    path,
    '-vf',
    'format=yuv420p,signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-',
    '-f',
    'null',
    '-',
  ])
  return [...text.matchAll(/YAVG=([\d.]+)/g)].map((match) => Number(match[1]))
}

/** Four minutes whose brightness tells the place, without sound. */
export async function rampSource(): Promise<string> {
  return await made('ramp.mp4', (path) => [
    '-f',
    'lavfi',
    '-t',
    '240',
    '-i',
    "color=gray:s=320x180:r=25,format=gray,geq=lum='30+200*T/240',format=yuv420p",
    ...encoded,
    path,
  ])
}

/** Two seconds of a brand, with a tone. */
export async function logoSource(): Promise<string> {
  return await made('logo.mp4', (path) => [
    '-f',
    'lavfi',
    '-t',
    '2',
    '-i',
    'color=0xd04080:s=640x640:r=30',
    '-f',
    'lavfi',
    '-t',
    '2',
    '-i',
    'sine=f=300:r=44100',
    ...encoded,
    path,
  ])
}

/** Eight clicks at 96 beats a minute: five seconds that are repeated twelve times in a trailer. */
export async function clickTrack(): Promise<string> {
  return await made('clicks.m4a', (path) => [
    '-f',
    'lavfi',
    '-t',
    '5',
    '-i',
    "aevalsrc='0.8*sin(2*PI*2500*t)*lt(mod(t,0.625),0.04)':s=48000",
    '-c:a',
    'aac',
    '-b:a',
    '128k',
    path,
  ])
}
