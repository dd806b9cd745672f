import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findRecipe } from '#recipes/presets.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { samplesOf } from '#tests/integration/recipes/voice.ts'
import { ffmpeg, renderPlan } from '#tests/setup/render-plan.ts'
import type { Figure } from './figure.ts'
import { RECORDED, recordedSpeech } from './recorded-voices.ts'
import {
  envelopeLikeness,
  linking,
  matchers,
  together,
  voiceOf,
  type Voice,
} from './voice-matcher.ts'

const run = promisify(execFile)
const folder = join(tmpdir(), 'onecut-bench-voices')
const edit = 'voice-mask-full-scene'

/** Ten people, and files of their speech. */
interface Group {
  readonly name: string
  readonly people: readonly Person[]
}

interface Person {
  /** What they have said elsewhere. */
  readonly known: () => Promise<string>
  /** What they say in the masked video. */
  readonly said: () => Promise<string>
}

/** Ten people of espeak-ng: its name of each, pitch and words a minute, and what they say. */
interface GeneratedGroup {
  readonly name: string
  readonly people: readonly GeneratedPerson[]
  readonly known: string
  readonly said: string
}

type GeneratedPerson = readonly [name: string, pitch: number, speed: number]

/**
 * Five lower and five higher voices each. No number of the mask may be chosen by the held out ones:
 * try changes with the others.
 */
const GENERATED: readonly GeneratedGroup[] = [
  {
    name: 'held out',
    people: [
      ['en-us+m1', 30, 165],
      ['en-us+m3', 38, 155],
      ['en-gb-scotland+m5', 34, 150],
      ['en-gb-x-rp+m7', 42, 160],
      ['en-us+max', 45, 170],
      ['en-us+f1', 52, 165],
      ['en-us+f2', 62, 160],
      ['en-gb+f4', 56, 155],
      ['en-us+Annie', 60, 165],
      ['en-gb-x-rp+belinda', 58, 150],
    ],
    known:
      'Please come in and sit down, the kettle is already on. We planned the whole afternoon around this walk, but the rain would not stop.',
    said: 'The train was late again, so I read three chapters of my book. Every morning the baker across the street opens his shutters and shouts good day to the pigeons.',
  },
  {
    name: 'to tune by',
    people: [
      ['en-us+m2', 32, 160],
      ['en-us+m4', 40, 150],
      ['en-gb+m6', 36, 165],
      ['en-us+m8', 45, 155],
      ['en-gb+Andy', 38, 170],
      ['en-us+f3', 54, 160],
      ['en-gb+f5', 60, 165],
      ['en-us+linda', 50, 155],
      ['en-gb-x-rp+steph', 64, 150],
      ['en-gb-scotland+Andrea', 58, 160],
    ],
    known:
      'You can take the second door on the left, and then wait by the window. Our neighbours painted their garden fence bright blue over the weekend.',
    said: 'She packed two sandwiches, a map and an old umbrella. Nothing about that quiet village had changed, except that the bakery now closed on Thursdays.',
  },
]
/** Masked uploads of each person, and an attacker's masks, each with a secret of its own. */
const UPLOADS = 6
/** Uploads of one person that an attacker knows to be of one person. */
const TOGETHER = 3

/**
 * Who is heard in a masked video? Ten voices, and what an attacker may have of each: a recording,
 * or a recording put through the same edit. Each upload is compared with each set of masks that the
 * attacker has made: with one set, the luck of its ten secrets decides. Needs espeak-ng.
 */
export async function* voice(): AsyncIterable<Figure> {
  for (const { name, people, known, said } of GENERATED)
    yield* voicesOf({
      name,
      people: people.map((person) => ({
        known: () => spoken(person, known),
        said: () => spoken(person, said),
      })),
    })
}

/** The same of people whose speech was recorded. Needs what `recordedSpeech` does. */
export async function* recordedVoice(): AsyncIterable<Figure> {
  for (const [name, people] of Object.entries({
    heldOut: RECORDED.heldOut,
    toTuneBy: RECORDED.toTuneBy,
  }))
    yield* voicesOf({
      name: `${name}, recorded`,
      people: people.map((person) => ({
        known: () => recordedSpeech(person, 'known'),
        said: () => recordedSpeech(person, 'said'),
      })),
    })
}

async function* voicesOf(group: Group): AsyncIterable<Figure> {
  const who = [...group.people.keys()]
  const said: Float32Array[] = []
  const plain: Voice[] = []
  for (const person of group.people) {
    said.push(await samplesOf(await person.said()))
    plain.push(voiceOf(await samplesOf(await person.known())))
  }
  const { uploads, bought, likeness } = await masksOf(group, said)
  const all = uploads.flat()
  const averaged = who.map((each) => ({
    who: each,
    voice: together(uploads.slice(0, TOGETHER).flatMap((of) => of[each]?.voice ?? [])),
  }))
  const unmasked = said.map((samples, each) => ({ who: each, voice: voiceOf(samples) }))
  const attacks = [
    ['unmasked, for comparison', unmasked, [plain]],
    ['known recording', all, [plain]],
    [SAME_EDIT, all, bought],
    [`average of ${TOGETHER} uploads`, averaged, [plain]],
  ] as const
  for (const [attack, of, sets] of attacks)
    for (const [matcher, distance] of Object.entries(matchers)) {
      const results = sets.map((known) => linking(of, known, distance))
      const isBound = attack === SAME_EDIT && matcher === 'all'
      const about = `${attack}, ${matcher}, voices ${group.name}`
      yield {
        edit,
        of: `linked (chance 0.1), ${about}`,
        value: mean(results.map(({ linked }) => linked)),
        unit: '',
        ...(isBound && { bound: { atMost: 0.15 } }),
      }
      yield {
        edit,
        of: `equal error rate (chance 0.5), ${about}`,
        value: mean(results.map(({ equalError }) => equalError)),
        unit: '',
        ...(isBound && { bound: { atLeast: 0.38 } }),
      }
      if (isBound) {
        const rates = uploads.map((own) =>
          mean(sets.map((known) => linking(own, known, distance).linked)),
        )
        yield { edit, of: `standard error of linked, ${about}`, value: errorOf(rates), unit: '' }
      }
    }
  yield {
    edit,
    of: `likeness of the envelopes of the bands, mean of the voices ${group.name}`,
    value: mean(likeness),
    unit: '',
    bound: { atLeast: 0.85 },
  }
}

/** Round by round a masked upload of each person, and what the attacker has masked of each. */
async function masksOf(
  group: Group,
  said: readonly Float32Array[],
): Promise<{ uploads: Upload[][]; bought: Voice[][]; likeness: number[] }> {
  const uploads: Upload[][] = []
  const bought: Voice[][] = []
  const likeness: number[] = []
  for (let round = 0; round < UPLOADS; round += 1) {
    uploads.push([])
    bought.push([])
    for (const [each, person] of group.people.entries()) {
      const own = `${round} of ${each}, ${group.name}`
      const samples = await masked(await person.said(), `upload ${own}`)
      uploads[round]?.push({ who: each, voice: voiceOf(samples) })
      likeness.push(envelopeLikeness(said[each] ?? samples, samples))
      const mask = await masked(await person.known(), `bought ${own}`)
      bought[round]?.push(voiceOf(mask))
    }
  }
  return { uploads, bought, likeness }
}

const SAME_EDIT = 'known voice through the same edit'

interface Upload {
  readonly who: number
  readonly voice: Voice
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

/** Standard error of the mean of values that do not depend on each other. */
function errorOf(values: readonly number[]): number {
  const spread = mean(values.map((each) => (each - mean(values)) ** 2))
  return Math.sqrt(spread / (values.length - 1))
}

async function spoken([name, pitch, speed]: GeneratedPerson, text: string): Promise<string> {
  const hash = createHash('sha256').update(`${name} ${pitch} ${speed} ${text}`)
  const path = join(folder, `${hash.digest('hex').slice(0, 16)}.wav`)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  await run('espeak-ng', ['-v', name, '-p', String(pitch), '-s', String(speed), '-w', path, text])
  return path
}

/** The sound of the finished edit of a video in which this is said, by the plan of a server. */
async function masked(path: string, upload: string): Promise<Float32Array> {
  const own = await mkdtemp(join(folder, 'masked-'))
  const video = join(own, 'video.mp4')
  await ffmpeg(['-f', 'lavfi', '-i', 'color=s=64x64:r=5', '-i', path, '-shortest', video])
  const plan = findRecipe(edit)?.plan(
    probe({ durationMs: 20_000, width: 64, height: 64, pixelFormat: 'yuv420p' }),
    undefined,
    { moments: [], assets: [], secret: createHash('sha256').update(upload).digest('hex') },
  )
  if (plan?.ok !== true) throw new Error(`no plan for ${edit}`)
  const made = await renderPlan(plan.value, { source: video, folder: own })
  const samples = await samplesOf(made['voice-mask.mp4'] ?? '')
  await rm(own, { recursive: true })
  return samples
}
