/**
 * Plays the music that ships with the server: `node scripts/make-music.ts` computes each track of
 * server/music/tracks.json and writes it beside, by ffmpeg. Nothing is recorded or sampled, so that
 * other people have no right in it. The files are committed: a server needs no ffmpeg to list them,
 * and they are the same on each. Each ends where it begins, to be repeated without a gap.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureTool, ffmpeg } from '#scripts/ensure-tools.ts'

const RATE = 48_000
const target = join(import.meta.dirname, '../server/music')

/** A piece of music: one chord a bar, as semitones above the root, played by some instruments. */
interface Score {
  readonly file: string
  readonly beatsPerMinute: number
  /** Hertz. */
  readonly root: number
  readonly bars: readonly (readonly number[])[]
  readonly hasDrums: boolean
  /** Of the plucked notes, in a beat. */
  readonly plucksPerBeat: number
}

const SCORES: readonly Score[] = [
  {
    file: 'slow-tide.m4a',
    beatsPerMinute: 76,
    root: 220,
    bars: repeat(2, [
      [0, 3, 7, 10],
      [-4, 0, 3, 7],
      [3, 7, 10, 14],
      [-2, 2, 5, 10],
    ]),
    hasDrums: false,
    plucksPerBeat: 2,
  },
  {
    file: 'bright-steps.m4a',
    beatsPerMinute: 112,
    root: 261.63,
    bars: repeat(3, [
      [0, 4, 7, 12],
      [-5, -1, 2, 7],
      [-3, 0, 4, 9],
      [-7, -3, 0, 5],
    ]),
    hasDrums: true,
    plucksPerBeat: 2,
  },
  {
    file: 'night-drive.m4a',
    beatsPerMinute: 96,
    root: 164.81,
    bars: repeat(2, [
      [0, 3, 7, 10],
      [0, 3, 7, 12],
      [-4, 0, 3, 8],
      [-2, 2, 5, 10],
      [-5, -2, 2, 7],
    ]),
    hasDrums: true,
    plucksPerBeat: 4,
  },
]

const tool = ensureTool(ffmpeg)
for (const score of SCORES) write(score.file, play(score))

function repeat<T>(times: number, part: readonly T[]): readonly T[] {
  return Array.from({ length: times }, () => part).flat()
}

function play(score: Score): Float32Array {
  const beatS = 60 / score.beatsPerMinute
  const track = new Float32Array(Math.round(score.bars.length * 4 * beatS * RATE))
  for (const [bar, chord] of score.bars.entries()) {
    const startS = bar * 4 * beatS
    for (const step of chord)
      add(track, startS, 4.6 * beatS, pad(score.root * 2 ** (step / 12), 4.6 * beatS))
    const low = (score.root / 2) * 2 ** ((chord[0] ?? 0) / 12)
    for (const beat of [0, 1.5, 2, 3.5]) add(track, startS + beat * beatS, beatS, bass(low))
    const plucks = 4 * score.plucksPerBeat
    for (let index = 0; index < plucks; index += 1) {
      const step = chord[(index * 3 + bar) % chord.length] ?? 0
      const tone = score.root * 2 * 2 ** (step / 12)
      add(track, startS + (index / score.plucksPerBeat) * beatS, 1.2, pluck(tone))
    }
    if (score.hasDrums) addDrums(track, startS, beatS)
  }
  const peak = track.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
  return track.map((each) => (each / peak) * 0.8)
}

function addDrums(track: Float32Array, startS: number, beatS: number): void {
  for (let half = 0; half < 8; half += 1) {
    const atS = startS + (half / 2) * beatS
    if (half % 4 === 0) add(track, atS, 0.35, kick)
    if (half % 4 === 2) add(track, atS, 0.18, noise(0.16, 18, half))
    add(track, atS, 0.06, noise(half % 2 === 0 ? 0.035 : 0.06, 60, half + 31))
  }
}

/** A sound by the seconds since it began. */
type Sound = (s: number) => number

/** Adds a sound to a track; what lasts beyond its end sounds at its beginning. */
function add(track: Float32Array, startS: number, lengthS: number, sound: Sound): void {
  const from = Math.round(startS * RATE)
  for (let index = 0; index < lengthS * RATE; index += 1) {
    const at = (from + index) % track.length
    track[at] = (track[at] ?? 0) + sound(index / RATE)
  }
}

function wave(hertz: number, s: number): number {
  return Math.sin(2 * Math.PI * hertz * s)
}

function pad(hertz: number, lengthS: number): Sound {
  return (s) => {
    const swell = Math.min(1, s / 0.6, (lengthS - s) / 0.9)
    const tone = wave(hertz, s) + wave(hertz * 1.003, s) + wave(hertz * 2.002, s) / 5
    return 0.028 * swell * tone
  }
}

function bass(hertz: number): Sound {
  return (s) =>
    0.2 * Math.min(1, s / 0.01) * Math.exp(-3.5 * s) * (wave(hertz, s) + wave(hertz * 2, s) / 4)
}

function pluck(hertz: number): Sound {
  return (s) =>
    0.06 *
    Math.min(1, s / 0.004) *
    Math.exp(-5 * s) *
    Math.sin(2 * Math.PI * hertz * s + 1.4 * Math.exp(-9 * s) * wave(hertz * 3, s))
}

function kick(s: number): number {
  return 0.42 * Math.exp(-11 * s) * Math.sin(2 * Math.PI * (46 * s + 4 * (1 - Math.exp(-28 * s))))
}

/** Noise that is the same each time. */
function noise(loudness: number, decay: number, seed: number): Sound {
  let state = seed * 2_654_435_761 + 1
  let before = 0
  return (s) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const value = state / 2 ** 31 - 1
    const bright = value - before
    before = value
    return loudness * Math.min(1, s / 0.002) * Math.exp(-decay * s) * bright
  }
}

function write(file: string, track: Float32Array): void {
  const input = Buffer.from(track.buffer, track.byteOffset, track.byteLength)
  const raw = ['-f', 'f32le', '-ar', String(RATE), '-ac', '1', '-i', '-']
  const sound = ['-ar', '48000', '-c:a', 'aac', '-b:a', '80k']
  const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact']
  execFileSync(
    tool,
    [
      '-nostdin',
      '-v',
      'error',
      '-y',
      ...raw,
      ...sound,
      ...plain,
      '-movflags',
      '+faststart',
      '-f',
      'mp4',
      join(target, file),
    ],
    { input },
  )
}
