import { expose } from 'comlink'
import { afterEach, expect, it } from 'vitest'
import { createUploadWorker } from '#src/bridge/upload-worker.ts'
import { silentLog } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Account } from '#src/local/compose.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'

const UNAVAILABLE = err({ code: 'upload/worker-unavailable' })
const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** A page with an account, and workers behind real message channels. */
function page(options: { readonly opens?: 'at once' | 'never' | 'refused' } = {}) {
  const { opens = 'at once' } = options
  const seen: string[] = []
  const workers: EventTarget[] = []
  const clock = createFakeClock()
  let userId: string | null = 'mara'
  let hangs = false
  const worker = createUploadWorker({
    local: {
      account: () => (userId === null ? null : ({ userId, db: { keys: null } } as Account)),
      clock,
      log: silentLog,
    },
    start: () => {
      const { port1, port2 } = new MessageChannel()
      ports.push(port1, port2)
      const name = `worker ${workers.length + 1}`
      seen.push(`${name} started`)
      const api = {
        open: (config: { readonly userId: string }, files: readonly unknown[]) => {
          seen.push(`${name} opens for ${config.userId} with ${files.length} files`)
          return opens === 'refused' ? err({ code: 'upload/not-saved' }) : ok(undefined)
        },
        pause: (id: string): Promise<Result<void, never>> | Result<void, never> => {
          seen.push(`${name} pauses ${id}`)
          return hangs ? new Promise<never>(() => undefined) : ok(undefined)
        },
        networkBack: () => void seen.push(`${name} gets a hint`),
        stop: () => void seen.push(`${name} stops`),
      }
      if (opens !== 'never') expose(api, port1)
      workers.push(port2)
      const started: unknown = Object.assign(port2, {
        terminate: () => void seen.push(`${name} terminated`),
      })
      return started as Worker
    },
    isInstalled: () => false,
    heldFiles: () => [{ uploadId: 'one', file: new File(['x'], 'x.mp4') }],
    onDeath: () => void seen.push('death reported'),
  })
  return {
    clock,
    seen,
    worker,
    signIn: (next: string | null) => {
      userId = next
    },
    hang: () => {
      hangs = true
    },
    crash: () => workers.at(-1)?.dispatchEvent(new Event('error')),
    pause: () => worker.call((remote) => remote.pause('one')),
  }
}

it('starts for the first call, opens with the files of the page, and stays', async () => {
  const { pause, seen } = page()
  expect([await pause(), await pause()]).toEqual([ok(undefined), ok(undefined)])
  expect(seen).toEqual([
    'worker 1 started',
    'worker 1 opens for mara with 1 files',
    'worker 1 pauses one',
    'worker 1 pauses one',
  ])
})

it('is unavailable without an account, and starts nothing', async () => {
  const { pause, seen, signIn } = page()
  signIn(null)
  expect(await pause()).toEqual(UNAVAILABLE)
  expect(seen).toEqual([])
})

it('stops for one account before it starts for the next', async () => {
  const { pause, seen, signIn, worker } = page()
  await pause()
  signIn('noa')
  expect([worker.isOfAnother('mara'), worker.isOfAnother('noa')]).toEqual([false, true])
  await pause()
  expect(seen.slice(3)).toEqual([
    'worker 1 stops',
    'worker 1 terminated',
    'worker 2 started',
    'worker 2 opens for noa with 1 files',
    'worker 2 pauses one',
  ])
})

it('answers a call under way when it crashes, reports its death, and starts again', async () => {
  const { crash, hang, pause, seen } = page()
  await pause()
  hang()
  const answer = pause()
  await expect.poll(() => seen.length, { interval: 1 }).toBe(4)
  crash()
  expect(await answer).toEqual(UNAVAILABLE)
  expect(seen.slice(4)).toEqual(['worker 1 terminated', 'death reported'])
  void pause()
  await expect.poll(() => seen, { interval: 1 }).toContain('worker 2 pauses one')
})

it('is ended when it does not open in time, or cannot', async () => {
  const deaf = page({ opens: 'never' })
  const answer = deaf.pause()
  await deaf.clock.advance(20_000)
  expect(await answer).toEqual(UNAVAILABLE)
  expect(deaf.seen).toEqual(['worker 1 started', 'worker 1 terminated'])

  const refused = page({ opens: 'refused' })
  expect(await refused.pause()).toEqual(UNAVAILABLE)
  expect(refused.seen.at(-1)).toBe('worker 1 terminated')
})

it('gets hints only while it runs, and is gone once stopped', async () => {
  const { pause, seen, worker } = page()
  await worker.hint('networkBack')
  expect(seen).toEqual([])
  await pause()
  await worker.hint('networkBack')
  await worker.stop()
  await worker.stop()
  expect(seen.slice(3)).toEqual(['worker 1 gets a hint', 'worker 1 stops', 'worker 1 terminated'])
})
