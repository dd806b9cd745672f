import { createHash } from 'node:crypto'
import { maskVoice } from '#recipes/voices/mask.ts'
import { samplesOf } from '#tests/integration/recipes/voice.ts'
import type { Figure } from './figure.ts'
import { RECORDED, recordedSpeech, type RecordedPerson } from './recorded-voices.ts'
import { meanOf, train, traitsOf, type Lesson } from './trained-attacker.ts'
import { linking } from './voice-matcher.ts'

const edit = 'voice-mask-full-scene'
/** Masked recordings of each half of what a person says, each with a secret of its own. */
const ROUNDS = 6

/**
 * Which of ten people is heard in a masked recording? Asked of an attacker who has learned from
 * masked recordings of some thirty other people, and who has masked what each of the ten says
 * elsewhere. By the program of the edit alone. Needs what `recordedSpeech` does.
 */
export async function* trainedVoice(): AsyncIterable<Figure> {
  const heldOut = await heardOf(RECORDED.heldOut)
  const toTuneBy = await heardOf(RECORDED.toTuneBy)
  const further = await heardOf(RECORDED.further)
  yield* figuresOf('held out', heldOut, [...toTuneBy, ...further])
  yield* figuresOf('to tune by', toTuneBy, [...heldOut, ...further])
}

/** Masked recordings of one person: of what is in the video, and of what is said elsewhere. */
interface Heard {
  readonly said: readonly Lesson[]
  readonly known: readonly Lesson[]
}

function* figuresOf(
  name: string,
  tested: readonly Heard[],
  others: readonly Heard[],
): Iterable<Figure> {
  const attacker = train(others.flatMap(({ said, known }) => [...said, ...known]))
  const seen = tested.map(({ said, known }) => ({
    said: said.map(({ traits }) => attacker.see(traits)),
    known: known.map(({ traits }) => attacker.see(traits)),
  }))
  const distance = (a: Float64Array, b: Float64Array): number => -attacker.likelihood(a, b)
  const uploads = seen.flatMap(({ said }, who) => said.map((voice) => ({ who, voice })))
  const rounds = Array.from({ length: ROUNDS }, (_, round) =>
    linking(
      uploads,
      seen.map(({ known }) => known[round] ?? new Float64Array()),
      distance,
    ),
  )
  const together = linking(
    seen.map(({ said }, who) => ({ who, voice: meanOf(said) })),
    seen.map(({ known }) => meanOf(known)),
    distance,
  )
  const about = `by an attacker trained on ${others.length} others, recorded voices ${name}`
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, each) => sum + each, 0) / values.length
  yield figure(`linked (chance 0.1), ${about}`, mean(rounds.map(({ linked }) => linked)))
  yield figure(
    `equal error rate (chance 0.5), ${about}`,
    mean(rounds.map(({ equalError }) => equalError)),
  )
  yield figure(
    `linked by ${ROUNDS} uploads and ${ROUNDS} masks together, ${about}`,
    together.linked,
  )
}

function figure(of: string, value: number): Figure {
  return { edit, of, value, unit: '' }
}

async function heardOf(people: readonly RecordedPerson[]): Promise<readonly Heard[]> {
  const heard: Heard[] = []
  for (const person of people)
    heard.push({ said: await lessonsOf(person, 'said'), known: await lessonsOf(person, 'known') })
  return heard
}

async function lessonsOf(person: RecordedPerson, part: 'said' | 'known'): Promise<Lesson[]> {
  const who = `${person.package} ${person.folder}`
  const samples = await samplesOf(await recordedSpeech(person, part))
  const lessons: Lesson[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    lessons.push({ who, traits: traitsOf(await masked(samples, `${part} ${round} of ${who}`)) })
  return lessons
}

/** As the edit masks it; `upload` stands for the secret of one upload. */
async function masked(samples: Float32Array, upload: string): Promise<Float32Array> {
  const result = new Float32Array(samples.length)
  let at = 0
  await maskVoice(
    {
      length: samples.length,
      read: (from, count) =>
        Float32Array.from({ length: count }, (_, index) => samples[from + index] ?? 0),
    },
    createHash('sha256').update(upload).digest('hex'),
    (part) => {
      result.set(part, at)
      at += part.length
    },
  )
  return result
}
