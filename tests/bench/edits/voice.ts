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
import { envelopeLikeness, linking, matchers, together, voiceOf } from './voice-matcher.ts'

const run = promisify(execFile)
const folder = join(tmpdir(), 'onecut-bench-voices')
const edit = 'voice-mask-full-scene'

/** Five lower and five higher ones: espeak-ng's name, pitch and words a minute. */
const PEOPLE = [
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
] as const
/** What each person has said elsewhere, and what is said in the masked video. */
const KNOWN =
  'Please come in and sit down, the kettle is already on. We planned the whole afternoon around this walk, but the rain would not stop.'
const SAID =
  'The train was late again, so I read three chapters of my book. Every morning the baker across the street opens his shutters and shouts good day to the pigeons.'
/** How many uploads of each person are masked, each with a secret of its own. */
const UPLOADS = 3

/**
 * Who is heard in a masked video? Ten voices, and what an attacker may have of each: a recording,
 * or a recording put through the same edit. Needs espeak-ng.
 */
export async function* voice(): AsyncIterable<Figure> {
  const known: Float32Array[] = []
  const said: Float32Array[] = []
  const boughtMasks: Float32Array[] = []
  const uploads: { who: number; samples: Float32Array }[] = []
  for (const who of PEOPLE.keys()) {
    known.push(await samplesOf(await spoken(who, KNOWN)))
    said.push(await samplesOf(await spoken(who, SAID)))
    boughtMasks.push(await masked(await spoken(who, KNOWN), `bought ${who}`))
    for (let index = 0; index < UPLOADS; index += 1)
      uploads.push({
        who,
        samples: await masked(await spoken(who, SAID), `upload ${index} of ${who}`),
      })
  }
  const plain = known.map(voiceOf)
  const bought = boughtMasks.map(voiceOf)
  const trials = uploads.map(({ who, samples }) => ({ who, voice: voiceOf(samples) }))
  const unmasked = said.map((samples, who) => ({ who, voice: voiceOf(samples) }))
  const averaged = PEOPLE.map((_, who) => ({
    who,
    voice: together(trials.filter((trial) => trial.who === who).map((trial) => trial.voice)),
  }))
  const attacks = [
    ['unmasked, for comparison', unmasked, plain, false],
    ['known recording', trials, plain, false],
    ['known voice through the same edit', trials, bought, true],
    [`average of ${UPLOADS} uploads`, averaged, plain, false],
  ] as const
  for (const [attack, of, against, isBound] of attacks)
    for (const [matcher, distance] of Object.entries(matchers)) {
      const { linked, equalError } = linking(of, against, distance)
      const isRow = isBound && matcher === 'all'
      yield {
        edit,
        of: `linked (chance 0.1), ${attack}, ${matcher}`,
        value: linked,
        unit: '',
        ...(isRow && { bound: { atMost: 0.15 } }),
      }
      yield {
        edit,
        of: `equal error rate (chance 0.5), ${attack}, ${matcher}`,
        value: equalError,
        unit: '',
        ...(isRow && { bound: { atLeast: 0.38 } }),
      }
    }
  const likeness = uploads
    .filter((_, index) => index % UPLOADS === 0)
    .map(({ who, samples }) => envelopeLikeness(said[who] ?? samples, samples))
  yield {
    edit,
    of: 'likeness of the envelopes of the bands, mean of ten voices',
    value: likeness.reduce((sum, each) => sum + each, 0) / likeness.length,
    unit: '',
    bound: { atLeast: 0.85 },
  }
}

async function spoken(who: number, text: string): Promise<string> {
  const [name, pitch, speed] = PEOPLE[who] ?? PEOPLE[0]
  const path = join(
    folder,
    `${who}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.wav`,
  )
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
