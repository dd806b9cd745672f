import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noiseStep } from '#recipes/noise.ts'
import { runConfined } from '#server/media/confined.ts'
import { offeredConfinements } from '#server/media/confinement/choose.ts'
import type { PlanStep } from '#recipes/types.ts'
import { describeConfinement } from '#server/media/confinement/describe.ts'
import { MEDIA_UID, type Confinement } from '#server/media/confinement/methods.ts'
import { canStart } from '#server/media/confinement/reachable.ts'
import { runProgram } from '#server/media/run-program.ts'
import { lookAround, mediaTools, onPath, shellUnder, type Look } from '#tests/setup/look-around.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'

const isRoot = process.getuid?.() === 0
/** Any user without rights. */
const OTHER_UID = 1234
const KINDS = ['bubblewrap', 'namespaces', 'limits', 'none'] as const

/** What a tool can do where the server is root, and where it is not. */
const WORKS: Readonly<Record<Confinement['kind'], readonly [string, string]>> = {
  bubblewrap: ['reads-input writes-folder', 'reads-input writes-folder'],
  namespaces: [
    'reads-input reads-passwd writes-folder writes-elsewhere writes-memory',
    'reads-input writes-input reads-secret reads-neighbour reads-passwd writes-folder writes-elsewhere writes-memory',
  ],
  limits: [
    'reads-input reads-passwd writes-folder writes-elsewhere writes-memory sees-server connects',
    'reads-input writes-input reads-secret reads-neighbour reads-passwd writes-folder writes-elsewhere writes-memory sees-server connects',
  ],
  none: [
    'reads-input reads-passwd writes-folder writes-elsewhere writes-memory sees-server connects',
    'reads-input writes-input reads-secret reads-neighbour reads-passwd writes-folder writes-elsewhere writes-memory sees-server connects',
  ],
}

/** Looks of a server that is root and of one that is not; root can be both. */
async function allLooks(): Promise<readonly (readonly ['root' | 'another user', Look])[]> {
  const own = (await lookAround()).map((look) => [isRoot ? 'root' : 'another user', look] as const)
  if (!isRoot) return own
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['tests/fixtures/look-around-process.ts'],
    { uid: OTHER_UID, gid: OTHER_UID, maxBuffer: 4 << 20 },
  )
  const others = (JSON.parse(stdout) as Look[]).map((look) => ['another user', look] as const)
  return [...own, ...others]
}

const looks = await allLooks()
const ran = looks.filter(([, look]) => look.refusal === null)
const offered = await offeredConfinements(onPath)
const works = offered.filter(({ kind }) => ran.some(([, look]) => look.kind === kind))
// The strongest of each kind.
const here = works.filter(({ kind }, at) => works.findIndex((each) => each.kind === kind) === at)
const notHere = KINDS.filter((kind) => !here.some((each) => each.kind === kind))
const hides = (kind: Confinement['kind']): boolean => kind === 'bubblewrap'
const cutsOff = (kind: Confinement['kind']): boolean => hides(kind) || kind === 'namespaces'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-confined-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  return path
}

describe(`a media tool (not possible on this machine: ${notHere.join(', ') || 'nothing'})`, () => {
  it('TRU-03 works under at least one confinement that limits it', () => {
    expect(here.map(({ kind }) => kind)).toContain('limits')
    for (const [, { kind, refusal }] of looks)
      if (!here.some((each) => each.kind === kind)) expect(refusal).toMatch(/\S/)
  })

  it.each(ran.map(([starter, look]) => [look.kind, starter, look] as const))(
    'TRU-03 sees and can do no more than is promised under %s, started by %s',
    (kind, starter, look) => {
      const [byRoot, byOther] = WORKS[kind]
      const allowed = (starter === 'root' ? byRoot : byOther).split(' ')
      if (!look.isFiltered) allowed.push('makes-namespaces')
      expect(allowed).toEqual(expect.arrayContaining([...look.worked]))
      expect(look.worked).toEqual(expect.arrayContaining(['reads-input', 'writes-folder']))
      expect(look.connections).toBe(cutsOff(kind) ? 0 : 1)
      // The link and the folder that the tool left would be followed by the server.
      expect(look.left).toEqual(['big', 'result'])
    },
  )

  it.each(ran.map(([starter, look]) => [look.kind, starter, look] as const))(
    'TRU-03 has no rights and is never root under %s, started by %s',
    (kind, starter, { status }) => {
      const uid = String(starter === 'root' ? MEDIA_UID : isRoot ? OTHER_UID : process.getuid?.())
      expect(status['Uid']?.split('\t')).toEqual([uid, uid, uid, uid])
      expect(status['CapEff']).toMatch(/^0+$/)
      expect(status['CapPrm']).toMatch(/^0+$/)
      if (starter === 'root') expect(status['Groups']).toBe('')
      if (kind !== 'none') expect(status['NoNewPrivs']).toBe('1')
      if (starter === 'root' && cutsOff(kind)) expect(status['CapBnd']).toMatch(/^0+$/)
    },
  )

  it.each(
    ran
      .filter(([, { kind }]) => kind !== 'none')
      .map(([starter, look]) => [look.kind, starter, look] as const),
  )(
    'TRU-03 has limits of processor time, memory, file size and processes under %s, started by %s',
    (kind, starter, { limits, bigBytes }) => {
      expect(limits).toMatchObject({
        'Max cpu time': '7 17',
        'Max file size': '4096 4096',
        'Max core file size': '0 0',
        'Max open files': '1024 1024',
      })
      expect(limits['Max address space']).not.toContain('unlimited')
      // What programs of ours keep free and never fill is no memory that they may write to.
      expect(limits['Max data size']).toBe(limits['Max address space'])
      if (starter === 'root' || cutsOff(kind))
        expect(Number(limits['Max processes']?.split(' ')[1])).toBeLessThan(70_000)
      expect(bigBytes).toBe(4096)
    },
  )
})

/** As if the lists of formats and protocols had holes. */
const HOLES = '-v error -protocol_whitelist file,http,tcp -f concat -safe 0'.split(' ')

/** The same as `maskedSound` has it, whose samples are of one channel and come out longer. */
const VOICE_STEP: PlanStep = {
  id: 'masked',
  tool: 'voice-filter',
  inputs: [{ from: { kind: 'scratch', name: 'samples.pcm' } }],
  args: [{ kind: 'scratch', name: 'made.pcm' }],
  secret: 'c0de'.repeat(16),
  outputDurationMs: 1500,
  weight: 1,
  needs: { filters: [], encoders: [] },
}

describe.each(here.map((confinement) => [confinement.kind, confinement] as const))(
  'under %s',
  (kind, confinement) => {
    it.each([
      ['noise-filter', noiseStep('samples.pcm', 'made.pcm', 250), 1],
      ['voice-filter', VOICE_STEP, 2],
    ] as const)(
      'TRU-03 %s runs on files of its folder, and leaves none of its own',
      async (program, step, growth) => {
        const cwd = await emptyFolder(`${program}-${kind}`)
        const noise = Int16Array.from(
          { length: 24_000 },
          (_, index) => ((index * 7919) % 601) - 300,
        )
        await writeFile(join(cwd, 'samples.pcm'), noise)
        const tools = await mediaTools(confinement)
        const ratios: number[] = []
        const run = runProgram(tools, program, {
          ...step,
          pathOf: (place) => join(cwd, 'name' in place ? place.name : ''),
          maxFileBytes: 1e6,
          cpuSeconds: 30,
          cwd,
          signal: AbortSignal.timeout(patience(60)),
          timeoutMs: 60_000,
          onProgress: (ratio) => ratios.push(ratio),
        })
        if (!(await canStart(confinement, process.execPath)))
          return expect(await run).toMatchObject({ ok: false })
        expect(await run).toEqual({ ok: true, value: undefined })
        expect(ratios.at(-1)).toBe(1)
        expect((await readdir(cwd)).toSorted()).toEqual(['made.pcm', 'samples.pcm'])
        expect((await stat(join(cwd, 'made.pcm'))).size).toBe(growth * noise.byteLength)
      },
    )

    it('TRU-03 a list that names other files or addresses gets neither files nor a connection', async () => {
      const cwd = await emptyFolder(`list-${kind}`)
      const closed = join(folder, `store-${kind}`)
      await mkdir(closed, { mode: 0o700 })
      const [list, other] = [join(closed, 'list'), join(closed, 'other.mp4')]
      await makeClip(other, 1)
      let asked = 0
      const web = createServer((_request, response) => {
        asked += 1
        response.end()
      })
      web.listen(0, '127.0.0.1')
      await once(web, 'listening')
      const { port } = web.address() as AddressInfo
      for (const target of [other, `http://127.0.0.1:${port}/clip.mp4`]) {
        await writeFile(list, `ffconcat version 1.0\nfile '${target}'\n`)
        const end = await runConfined(await mediaTools(confinement), {
          tool: 'ffmpeg',
          args: (seen) => [...HOLES, '-i', seen(list), '-c', 'copy', join(cwd, 'stolen.mp4')],
          limits: { maxFileBytes: 1e7, cpuSeconds: 30 },
          cwd,
          signal: AbortSignal.timeout(patience(30)),
          timeoutMs: 30_000,
          onOutput: () => undefined,
        })
        if (confinement.uid !== null || hides(kind)) expect(end.kind).toBe('failed')
      }
      web.close()
      if (confinement.uid !== null || hides(kind)) expect(await readdir(cwd)).toEqual([])
      if (cutsOff(kind)) expect(asked).toBe(0)
    })

    it.skipIf(kind === 'none')(
      'TRU-03 a program of ours may keep address space free, and fill no more than others',
      async () => {
        const tools = await mediaTools(confinement)
        if (!(await canStart(confinement, process.execPath))) return
        const cwd = await emptyFolder(`fills-${kind}`)
        const filled = async (bytes: number): Promise<string> => {
          const end = await runConfined(tools, {
            tool: 'node',
            args: () => ['-e', `new ArrayBuffer(${bytes})`],
            limits: { maxFileBytes: 0, cpuSeconds: 30 },
            cwd,
            signal: AbortSignal.timeout(patience(60)),
            timeoutMs: 60_000,
            onOutput: () => undefined,
          })
          return end.kind
        }
        expect(await filled(1024 ** 3)).toBe('done')
        expect(await filled(17 * 1024 ** 3)).toBe('failed')
      },
    )

    it('TRU-03 ends at its processor time, and on abort with all that it started', async () => {
      const cwd = await emptyFolder(`ends-${kind}`)
      const mark = `7${process.pid}.${KINDS.indexOf(kind)}`
      const run = {
        tool: 'ffmpeg',
        limits: { maxFileBytes: 0, cpuSeconds: 1 },
        cwd,
        timeoutMs: 60_000,
      } as const
      if (kind !== 'none')
        expect(
          await runConfined(await mediaTools(confinement), {
            ...run,
            args: () => ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2', '-f', 'null', '-'],
            signal: AbortSignal.timeout(patience(60)),
            onOutput: () => undefined,
          }),
        ).toMatchObject({ kind: 'timeout' })
      const stop = new AbortController()
      await expect(
        runConfined(await shellUnder(confinement), {
          ...run,
          args: () => ['-c', `sleep ${mark} & echo begun; sleep ${mark}; true`],
          signal: stop.signal,
          onOutput: () => stop.abort(new Error('stopped')),
        }),
      ).rejects.toThrow('stopped')
      await expect.poll(() => sleepers(mark)).toEqual([])
      if (isRoot) expect((await stat(cwd)).uid).toBe(0)
    })

    it.each(['server', 'launcher'])(
      'TRU-03 dies when the server is killed: by its %s',
      async (by) => {
        const cwd = await emptyFolder(`dies-${kind}-${by}`)
        const mark = `8${process.pid}.${by.length}${KINDS.indexOf(kind)}`
        const server = spawn(
          process.execPath,
          ['tests/fixtures/dying-tool-process.ts', kind, cwd, mark, by],
          {
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        )
        try {
          await expect.poll(() => sleepers(mark)).not.toEqual([])
        } finally {
          server.kill('SIGKILL')
        }
        // Only Linux can be asked for it.
        if (kind !== 'none') await expect.poll(() => sleepers(mark)).toEqual([])
        for (const pid of sleepers(mark)) process.kill(pid, 'SIGKILL')
      },
    )
  },
)

/** The processes that sleep for a number that only one test uses. */
function sleepers(mark: string): number[] {
  return execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, state, program, argument]) =>
      [/^[^ZX]/.test(state ?? ''), program?.endsWith('sleep'), argument === mark].every(Boolean),
    )
    .map(([pid]) => Number(pid))
}

describe('what a start says', () => {
  it('TRU-03 names what holds, and what to install where that is little', () => {
    const common = { uid: null, nice: null, setpriv: '/setpriv', prlimit: '/prlimit' }
    const filter = Buffer.alloc(8)
    const bubblewrap = { kind: 'bubblewrap', bwrap: '/bwrap', filter, ...common } as const
    expect(describeConfinement(bubblewrap, [])).toEqual({
      holds:
        "ffmpeg is confined by bubblewrap: the server's own user, no network, no files but its inputs and one folder, limits of processor time, memory, file size and processes, no user namespaces of its own.",
      advice: null,
    })
    const refusedFilter = [{ kind: 'bubblewrap', reason: 'prctl(PR_SET_SECCOMP)' } as const]
    expect(describeConfinement({ ...bubblewrap, filter: null }, refusedFilter).advice).toBe(
      'ffmpeg can make user namespaces, because the filter of system calls does not work (prctl(PR_SET_SECCOMP)); docs/confinement.md says more.',
    )
    expect(describeConfinement({ kind: 'limits', ...common, uid: MEDIA_UID }, [])).toEqual({
      holds:
        'ffmpeg is confined by limits: user 65533 without rights, limits of processor time, memory and file size.',
      advice: 'ffmpeg could be confined better: install bubblewrap; docs/confinement.md says how.',
    })
    const refused = [{ kind: 'bubblewrap', reason: 'No permissions to create namespace' } as const]
    expect(describeConfinement({ kind: 'none', uid: null, nice: null }, refused).advice).toContain(
      'bubblewrap is here but does not work (No permissions to create namespace)',
    )
  })
})
