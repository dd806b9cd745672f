/**
 * `npm run bench -- attack [requests] [seed]`: sends 10,000 seeded requests, valid and nearly
 * valid, to a server of its own, then gives every hostile file to what checks uploads and prints a
 * table of verdicts and processor seconds. Ends with 1 when something does not hold.
 */
import { attackByRequests } from '#tests/faults/attack/attack.ts'
import { attackByMedia, type MediaVerdict } from '#tests/faults/attack/media.ts'
import { hostileFiles } from '#tests/fixtures/hostile-files.ts'
import { startTemplate } from '#tests/setup/postgres.ts'
import { startTestServer } from '#tests/setup/server.ts'

const [requests = '10000', seed = '1'] = process.argv.slice(2)

const complaints = [...(await byRequests()), ...(await byMedia())]
for (const complaint of complaints) process.stdout.write(`${complaint}\n`)
process.exitCode = complaints.length === 0 ? 0 : 1

async function byRequests(): Promise<readonly string[]> {
  const template = await startTemplate()
  let now = Date.parse('2026-11-21T12:00:00Z')
  const server = await startTestServer({
    template: template.connection,
    clock: () => new Date(now),
  })
  try {
    const report = await attackByRequests(server, {
      requests: Number(requests),
      seed: Number(seed),
      pass: (ms) => {
        now += ms
      },
      onBatch: (sent) => process.stderr.write(`${sent} requests\n`),
    })
    process.stdout.write(
      `${report.requests} requests to ${report.operations} operations, seed ${seed}\n`,
    )
    for (const [status, count] of [...report.answers].toSorted(([one], [other]) => one - other))
      process.stdout.write(`  ${status === 0 ? 'connection ended' : status}: ${count}\n`)
    return report.complaints
  } finally {
    await server.stop()
    await template.stop()
  }
}

async function byMedia(): Promise<readonly string[]> {
  process.stdout.write('\n| file | bytes | verdict | s | edit | s |\n|---|---|---|---|---|---|\n')
  const report = await attackByMedia(hostileFiles, {
    renders: hostileFiles.length,
    onVerdict: (verdict) => process.stdout.write(`${lineOf(verdict)}\n`),
  })
  const accepted = report.verdicts.filter(({ verdict }) => verdict === 'validated').length
  const costs = report.verdicts.map(({ checkCpuSeconds }) => Number(checkCpuSeconds))
  process.stdout.write(
    `\n${report.verdicts.length} files, ${accepted} accepted; at most ${Math.max(...costs).toFixed(1)} processor seconds for a check\n`,
  )
  return report.complaints
}

function lineOf(verdict: MediaVerdict): string {
  const { name, sizeBytes, render, checkCpuSeconds, renderCpuSeconds } = verdict
  const cells = [name, sizeBytes, verdict.verdict, checkCpuSeconds, render, renderCpuSeconds]
  return `| ${cells.map((cell) => cell ?? '').join(' | ')} |`
}
