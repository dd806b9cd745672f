import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { machineFault, runTool, type ToolEnd, type ToolRun } from '#server/media/process.ts'
import { usedCpuSeconds } from '#server/media/used-time.ts'
import { patience } from '#tests/setup/patience.ts'

const run = async (
  script: string,
  timeoutMs = 20_000,
  limits: Partial<Pick<ToolRun, 'maxOutputChars' | 'isEnough' | 'onUsed' | 'maxCpuSeconds'>> = {},
): Promise<ToolEnd> =>
  await runTool({
    ...limits,
    command: ['sh', '-c', script],
    uid: null,
    handles: [],
    cwd: tmpdir(),
    signal: AbortSignal.timeout(patience(20)),
    timeoutMs,
    onOutput: () => {},
  })

it.each([
  ['exit 0', { kind: 'done' }],
  ['echo broken >&2; exit 1', { kind: 'failed', exitCode: 1, fault: null }],
  ['kill -KILL $$', { kind: 'failed', exitCode: null, fault: { reason: 'killed' } }],
  ['exit 137', { kind: 'failed', fault: { reason: 'killed' } }],
  ['kill -SEGV $$', { kind: 'failed', exitCode: null, fault: null }],
  ['exec ./no-such-tool', { kind: 'failed', fault: { reason: 'not-started' } }],
  [
    'echo "bwrap: Creating new namespace failed" >&2; exit 1',
    { kind: 'failed', fault: { reason: 'not-started' } },
  ],
  ['kill -XCPU $$', { kind: 'timeout', limit: 'work' }],
])('TRU-01 tells a broken file from a machine and from a limit: %s', async (script, end) => {
  expect(await run(script)).toMatchObject(end)
})

it('TRU-01 a reading that outlasts its wall time tells of a slow machine, one that uses up its processor time of its file', async () => {
  const slow = await run('while :; do :; done', 20)
  expect(slow).toMatchObject({ kind: 'timeout', limit: 'wall' })
  expect(machineFault(slow)).toMatchObject({ reason: 'slow' })
  expect(machineFault(await run('kill -XCPU $$'))).toBeNull()
  expect(machineFault(await run('exit 1'))).toBeNull()
  expect(machineFault(await run('kill -KILL $$'))).toMatchObject({ reason: 'killed' })
})

it('TRU-01 a tool that prints more of a file than is read of it is ended, which tells of the file', async () => {
  const end = await run('while :; do echo tag; done', 20_000, { maxOutputChars: 10_000 })
  expect(end).toMatchObject({ kind: 'timeout', limit: 'work' })
  expect(machineFault(end)).toBeNull()
})

it('TRU-01 a tool that has printed enough is ended, which tells of the file', async () => {
  const end = await run('while :; do echo tag; done', 20_000, { isEnough: () => true })
  expect(end).toMatchObject({ kind: 'timeout', limit: 'work' })
})

it.runIf(process.platform === 'linux')(
  'TRU-03 the processor time of a tool and all that it starts is counted, and more than it may is the end of it',
  async () => {
    let used = 0
    const onUsed = (seconds: number): void => {
      used += seconds
    }
    const limits = { onUsed, maxCpuSeconds: -0.9 }
    const end = await run('sh -c "while :; do :; done"; true', 20_000, limits)
    expect(end).toMatchObject({ kind: 'timeout', limit: 'work' })
    expect(used).toBeGreaterThan(0.1)
    expect(await usedCpuSeconds(process.pid)).toBeGreaterThan(0)
    expect(await usedCpuSeconds(2 ** 30)).toBeNull()
  },
)
