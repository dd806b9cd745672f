import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recipes } from '#recipes/presets.ts'
import { makeOddSource } from '#tests/fixtures/odd-sources/kinds.ts'
import { ODD_SOURCES } from '#tests/fixtures/odd-sources/list.ts'
import { editOdd, knowSource } from '#tests/setup/odd-edits.ts'
import type { Figure } from './figure.ts'
import { serverFfmpeg } from '#tests/setup/render-edit.ts'

/**
 * Every edit of every odd source, as a table: `made`, `refused` before payment, or **failed**. Why
 * goes to standard error, and the files stay for a look.
 */
export async function* odd(): AsyncIterable<Figure> {
  const ffmpeg = await serverFfmpeg()
  const folder = mkdtempSync(join(tmpdir(), 'onecut-bench-odd-'))
  const counts = { made: 0, refused: 0, failed: 0 }
  const slugs = Object.keys(recipes)
  const lines: string[] = []
  for (const source of ODD_SOURCES) {
    const path = await makeOddSource(source, ODD_SOURCES)
    const known = await knowSource(ffmpeg, source, path, folder)
    if (typeof known === 'string') {
      counts[source.isRefused === true ? 'refused' : 'failed'] += slugs.length
      lines.push(`| ${source.oddity} | refused as a whole: ${known} |`)
      process.stderr.write(`${lines.at(-1) ?? ''}\n`)
      continue
    }
    if (source.isRefused === true) process.stderr.write(`${source.name} should be refused\n`)
    const verdicts: string[] = []
    for (const slug of slugs) {
      const verdict = await editOdd(ffmpeg, slug, known, folder)
      counts[verdict.kind] += 1
      if (verdict.kind !== 'made') verdicts.push(`${slug} ${verdict.kind}: ${verdict.why}`)
    }
    const made = slugs.length - verdicts.length
    lines.push(`| ${source.oddity} | ${made} made${verdicts.map((each) => `; ${each}`).join('')} |`)
    process.stderr.write(`${lines.at(-1) ?? ''}\n`)
  }
  process.stdout.write(`\n| source | ${slugs.length} edits |\n|---|---|\n${lines.join('\n')}\n\n`)
  process.stderr.write(`${folder}\n`)
  const edit = 'all'
  yield { edit, of: 'odd sources: made', value: counts.made, unit: 'edits' }
  yield { edit, of: 'odd sources: refused before payment', value: counts.refused, unit: 'edits' }
  yield {
    edit,
    of: 'odd sources: failed',
    value: counts.failed,
    unit: 'edits',
    bound: { atMost: 0 },
  }
}
