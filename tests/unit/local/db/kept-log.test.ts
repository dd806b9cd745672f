import { expect, it, vi } from 'vitest'
import { newDevice, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { createKeptLog } from '#src/local/db/kept-log.ts'
import { wipeAccount } from '#src/local/db/wipe.ts'
import { createLog, logUnhandled, type Log, type LogLine } from '#src/lib/log.ts'

function line(message: string, facts: LogLine['facts'] = {}): LogLine {
  return { level: 'warn', area: 'test', message, facts }
}

function setUp() {
  const device = newDevice()
  const clock = createFakeClock()
  const open = () => createKeptLog({ openDb: () => openDeviceDb(device), now: clock.now })
  return { device, clock, open }
}

it('keeps lines of several contexts over a reload, oldest first', async () => {
  const { open } = setUp()
  const [page, worker] = [open(), open()]
  page.keep(line('one'))
  await page.read()
  worker.keep(line('two', { name: 'TypeError', attempt: 3, place: null }))
  await worker.read()
  const afterReload = await open().read()
  expect(afterReload.map(({ message }) => message)).toEqual(['one', 'two'])
  expect(afterReload[1]?.facts).toEqual({ name: 'TypeError', attempt: 3, place: null })
})

it('keeps the last 200 lines only', async () => {
  const { open } = setUp()
  const log = open()
  for (let count = 1; count <= 150; count += 1) log.keep(line(`first ${count}`))
  await log.read()
  for (let count = 1; count <= 350; count += 1) log.keep(line(`line ${count}`))
  const kept = await log.read()
  expect(kept).toHaveLength(200)
  expect(kept[0]?.message).toBe('line 151')
  expect(kept.at(-1)?.message).toBe('line 350')
})

it('takes personal texts out of what it keeps', async () => {
  const { open } = setUp()
  const log = open()
  log.keep(line('of jane@example.org', { file: 'My holiday.mp4', long: 'a b '.repeat(2000) }))
  const [kept] = await log.read()
  expect(JSON.stringify(kept)).not.toMatch(/jane|holiday/)
  expect(String(kept?.facts['long']).length).toBeLessThanOrEqual(2000)
})

it('is wiped with the account', async () => {
  const { device, clock, open } = setUp()
  const log = open()
  log.keep(line('of this account'))
  expect(await log.read()).toHaveLength(1)
  const deviceDb = await openDeviceDb(device)
  await wipeAccount(
    { deviceDb, clock, caches: null, files: null, dbOptions: device },
    USER_ID,
    null,
  )
  expect(await log.read()).toEqual([])
})

it('keeps nothing where the device stores nothing, and does not fail', async () => {
  const log = createKeptLog({ openDb: () => Promise.reject(new Error('private')), now: () => 1 })
  log.keep(line('lost'))
  expect(await log.read()).toEqual([])
})

it('ignores what another version left in its place', async () => {
  const { device, open } = setUp()
  const deviceDb = await openDeviceDb(device)
  await deviceDb.facts.put({ key: 'log-lines', value: [{ odd: true }] })
  const log = open()
  log.keep(line('fresh'))
  expect((await log.read()).map(({ message }) => message)).toEqual(['fresh'])
})

it('gets every line of a log, and what no code handled', () => {
  const kept: LogLine[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  createLog('area', (each) => kept.push(each)).warn('odd', { code: 'a/b' })
  expect(kept).toEqual([{ level: 'warn', area: 'area', message: 'odd', facts: { code: 'a/b' } }])
  expect(warn.mock.calls).toEqual([['[area] odd', { code: 'a/b' }]])
  warn.mockRestore()

  const errors: string[] = []
  const log: Log = {
    debug: () => undefined,
    warn: () => undefined,
    error: (message, facts) => errors.push(`${message}: ${String(facts?.['name'])}`),
  }
  const target = new EventTarget()
  const expected = new Error('the only way to say so')
  logUnhandled(target, log, (reason) => reason === expected)
  target.dispatchEvent(Object.assign(new Event('error'), { error: new TypeError('x') }))
  target.dispatchEvent(new Event('error'))
  target.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'text' }))
  target.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: expected }))
  expect(errors).toEqual(['unhandled error: TypeError', 'unhandled rejection: unknown'])
})
