/**
 * `npm run bench -- edits [section…]`: makes a corpus of generated videos, renders edits of it by
 * the server's own path, and prints each figure beside the bound that it has to keep. Without names
 * it runs every section. The exit code is 1 where a bound is not kept.
 */
import { beats } from './edits/beats.ts'
import { copies } from './edits/copies.ts'
import { cost } from './edits/cost.ts'
import { faces } from './edits/faces.ts'
import { lineOf, isKept, type Figure, type Section } from './edits/figure.ts'
import { moments } from './edits/moments.ts'
import { odd } from './edits/odd.ts'
import { picture } from './edits/picture.ts'
import { recognise } from './edits/recognise.ts'
import { sound } from './edits/sound.ts'
import { trailers } from './edits/trailers.ts'
import { voice } from './edits/voice.ts'

/** A section is one file of `edits/` and one line here. */
const sections: Readonly<Record<string, Section>> = {
  beats,
  copies,
  cost,
  faces,
  moments,
  odd,
  picture,
  recognise,
  sound,
  trailers,
  voice,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0) {
  process.stderr.write(`No section ${unknown.join(', ')}: ${Object.keys(sections).join(', ')}\n`)
  process.exit(2)
}
const missed: Figure[] = []
process.stdout.write(
  '| edit | figure | measured | bound | of the bound | |\n|---|---|---|---|---|---|\n',
)
for (const [name, section] of Object.entries(sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for await (const figure of section()) {
    process.stdout.write(`${lineOf(figure)}\n`)
    if (!isKept(figure)) missed.push(figure)
  }
}
process.exitCode = missed.length === 0 ? 0 : 1
