/**
 * `npm run bench -- edits [section…]`: makes a corpus of generated videos, renders edits of it by
 * the server's own path, and prints each figure beside the bound that it has to keep, then whether
 * each edit met all of its bounds. Without names it runs every section. The exit code is 1 where a
 * bound is not kept, a section could not run, or a full run has measured nothing of an edit.
 */
import { recipes } from '#recipes/presets.ts'
import { beats } from './edits/beats.ts'
import { copies } from './edits/copies.ts'
import { cost } from './edits/cost.ts'
import { faces, faceStrangers } from './edits/faces.ts'
import { lineOf, type Figure, type Section } from './edits/figure.ts'
import { lengths } from './edits/lengths.ts'
import { moments } from './edits/moments.ts'
import { odd } from './edits/odd.ts'
import { people } from './edits/people.ts'
import { picture } from './edits/picture.ts'
import { recognise } from './edits/recognise.ts'
import { recordedSound, sound } from './edits/sound.ts'
import { trailers } from './edits/trailers.ts'
import { trainedVoice } from './edits/trained-voice.ts'
import { summaryOf, verdictsOf } from './edits/verdict.ts'
import { recordedVoice, voice } from './edits/voice.ts'

/** A section is one file of `edits/` and one line here. */
const sections: Readonly<Record<string, Section>> = {
  beats,
  copies,
  cost,
  faces,
  'face-strangers': faceStrangers,
  lengths,
  moments,
  odd,
  people,
  picture,
  recognise,
  'recorded-sound': recordedSound,
  'recorded-voice': recordedVoice,
  sound,
  trailers,
  'trained-voice': trainedVoice,
  voice,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0) {
  process.stderr.write(`No section ${unknown.join(', ')}: ${Object.keys(sections).join(', ')}\n`)
  process.exit(2)
}
const chosen = Object.entries(sections).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
)
const figures: Figure[] = []
process.stdout.write(
  '| edit | figure | measured | bound | of the bound | |\n|---|---|---|---|---|---|\n',
)
for (const [name, section] of chosen) {
  for await (const figure of measured(name, section)) {
    process.stdout.write(`${lineOf(figure)}\n`)
    figures.push(figure)
  }
}
// Some sections alone say nothing of most edits.
const edits = wanted.length === 0 ? Object.keys(recipes) : []
const verdicts = verdictsOf(edits, figures)
process.stdout.write(`\n${summaryOf(verdicts)}`)
const isMet = verdicts.every(({ edit, bounds, missed }) =>
  edits.includes(edit) ? bounds > 0 && missed.length === 0 : missed.length === 0,
)
process.exitCode = isMet ? 0 : 1

/** The figures of a section. One that fails counts as a figure that is missed; the next begins. */
async function* measured(name: string, section: Section): AsyncIterable<Figure> {
  try {
    yield* section()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    const of = 'the section ran to its end'
    yield { edit: `section ${name}`, of, value: Number.NaN, unit: '', bound: { atLeast: 1 } }
  }
}
