import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { machineFault, runTool, type ToolEnd, type ToolRun } from '#server/media/process.ts'
import { createLauncher, startHere } from '#server/media/tool-launcher.ts'
import { usedCpuSeconds } from '#server/media/used-time.ts'
import { patience } from '#tests/setup/patience.ts'

type Limits = Pick<ToolRun, 'maxOutputChars' | 'isEnough' | 'onUsed' | 'maxCpuSeconds'>
const run = async (
  script: string,
  timeoutMs = 20_000,
  more: Partial<Limits & Pick<ToolRun, 'start' | 'input' | 'onOutput' | 'handles'>> = {},
): Promise<ToolEnd> =>
  await runTool({
    command: ['sh', '-c', script],
    uid: null,
    handles: [],
    cwd: tmpdir(),
    signal: AbortSignal.timeout(patience(20)),
    timeoutMs,
    onOutput: () => {},
    ...more,
  })

const isLinux = process.platform === 'linux'
/** Whether processors are shared among sessions first: else the file is missing or empty. */
const isGrouped =
  existsSync('/proc/self/autogroup') && readFileSync('/proc/self/autogroup', 'utf8') !== ''
const launcher = createLauncher()

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
  if (isLinux) expect(await run(script, 20_000, { start: launcher.start })).toMatchObject(end)
})

it.runIf(isLinux)('TRU-10 a launcher gives a tool its input and its open files', async () => {
  await using file = await open(import.meta.filename)
  let printed = ''
  const end = await run('cat; wc -c < /proc/self/fd/3; pwd', 20_000, {
    start: launcher.start,
    input: 'given ',
    handles: [file.fd],
    onOutput: (text) => {
      printed += text
    },
  })
  expect(end).toMatchObject({ kind: 'done' })
  const { size } = await file.stat()
  expect(printed.split(/\s+/)).toEqual(['given', String(size), tmpdir(), ''])
})

it.runIf(isLinux)(
  'TRU-10 a launcher that is killed ends its tools, and another follows',
  async () => {
    const own = createLauncher()
    const killsIt = 'kill -KILL $PPID; exec sleep 5'
    expect(await run(killsIt, 20_000, { start: own.start })).toMatchObject({
      kind: 'failed',
      fault: { reason: 'killed' },
    })
    expect(await run('exit 0', 20_000, { start: own.start })).toMatchObject({ kind: 'done' })
  },
)

it.runIf(isGrouped)(
  'TRU-10 the session of a tool has the server go before it, which its niceness alone does not',
  async () => {
    const isLower = `grep -q 'nice 10$' /proc/self/autogroup`
    const waits = `until ${isLower}; do sleep 0.01; done`
    expect(await run(waits)).toMatchObject({ kind: 'done' })
    expect(await run(waits, 20_000, { start: launcher.start })).toMatchObject({ kind: 'done' })
    // The server's own stays as it is.
    const { stdout } = await promisify(execFile)('cat', ['/proc/self/autogroup'])
    expect(stdout).not.toMatch(/nice 10$/m)
  },
)

it.runIf(isLinux)('TRU-10 what a launcher cannot be given is started without it', async () => {
  // Nothing has this descriptor, so that the launcher finds no such file.
  const none = run('exit 0', 20_000, { start: launcher.start, handles: [999_999] })
  await expect(none).rejects.toMatchObject({ code: 'EBADF' })
})

it.runIf(isLinux)('TRU-10 a launcher that cannot run leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-test-'))
  const node = process.execPath
  vi.stubEnv('TMPDIR', folder)
  process.execPath = '/no/such/node'
  try {
    expect(await run('exit 0', 20_000, { start: createLauncher().start })).toMatchObject({
      kind: 'done',
    })
    await expect.poll(() => readdir(folder)).toEqual([])
  } finally {
    process.execPath = node
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  }
})

it.runIf(isLinux)(
  'TRU-10 a process that can open no more files waits for no tool of its launcher',
  async () => {
    const process60 = `ulimit -n 60 && exec ${process.execPath} tests/fixtures/full-tool-process.ts`
    const { stdout } = await promisify(execFile)('sh', ['-c', process60])
    expect(stdout.split('\n')).toEqual(['done', expect.stringContaining('EMFILE'), 'done'])
  },
)

it('TRU-10 what is no program is refused in both ways', async () => {
  const none = { command: ['/no/such'] as const, cwd: tmpdir(), uid: null }
  const started = [startHere, ...(isLinux ? [launcher.start] : [])].map(async (start) => {
    const { end } = await start({ ...none, hasInput: false, handles: [] })
    await end
  })
  for (const each of started) await expect(each).rejects.toMatchObject({ code: 'ENOENT' })
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

it.runIf(isLinux)(
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
    used = 0
    await run('timeout 0.3 sh -c "while :; do :; done"', 20_000, { onUsed })
    expect(used).toBeGreaterThan(0.1)
    expect(await usedCpuSeconds(process.pid)).toBeGreaterThan(0)
    expect(await usedCpuSeconds(2 ** 30)).toBeNull()
  },
)
