import { expect, it } from 'vitest'
import { CallFailed, failureOf, valueOrThrow } from '#src/hooks/sync/query-client.ts'
import { foundList, toShown } from '#src/hooks/sync/shown.ts'

const idle = {
  error: null,
  isFetching: false,
  isSuccess: false,
  dataUpdatedAt: 0,
  refetch: () => Promise.reject(new Error('not asked')),
}
const pulling = { ...idle, isFetching: true }
const pulled = { ...idle, isSuccess: true, dataUpdatedAt: 9 }
const failed = { ...idle, error: new CallFailed({ code: 'api/offline' }) }
const rows = { kind: 'ready', value: { data: ['row'], asOfEpochMs: 5 } } as const
const nothing = { kind: 'ready', value: null } as const

it("a screen has four states, and the device's rows stay in each", () => {
  expect(toShown<string[]>({ kind: 'loading' }, pulling, [])).toMatchObject({
    status: 'nothing-yet',
    data: null,
    isFetching: true,
  })
  expect(toShown<readonly string[]>(rows, pulling, [])).toMatchObject({
    status: 'from-device',
    data: ['row'],
    asOfEpochMs: 5,
  })
  expect(toShown<readonly string[]>(rows, pulled, [])).toMatchObject({
    status: 'fresh',
    data: ['row'],
  })
  expect(toShown<readonly string[]>(rows, failed, [])).toMatchObject({
    status: 'failed',
    data: ['row'],
    failure: { code: 'api/offline' },
  })
})

it('empty is known only once the server said so', () => {
  expect(toShown<string[]>(nothing, pulling, [])).toMatchObject({
    status: 'nothing-yet',
    data: null,
  })
  expect(toShown<string[]>(nothing, pulled, [])).toMatchObject({
    status: 'fresh',
    data: [],
    asOfEpochMs: 9,
  })
  expect(toShown<string[]>(nothing, failed, [])).toMatchObject({ status: 'failed', data: null })
})

it('a list that was empty before is shown so where a pull fails, and not while one runs', () => {
  const before = foundList<{ readonly pulledAtEpochMs: number }, readonly string[]>([], [], 4)
  const wasEmpty = { kind: 'ready', value: before } as const
  expect(toShown(wasEmpty, pulling, [])).toMatchObject({ status: 'nothing-yet', data: null })
  expect(toShown(wasEmpty, pulled, [])).toMatchObject({ status: 'fresh', data: [], asOfEpochMs: 9 })
  expect(toShown(wasEmpty, failed, [])).toMatchObject({
    status: 'failed',
    data: [],
    asOfEpochMs: 4,
    failure: { code: 'api/offline' },
  })
})

it('a list is as old as its oldest row', () => {
  expect(foundList([{ pulledAtEpochMs: 7 }, { pulledAtEpochMs: 3 }], 'both')).toEqual({
    data: 'both',
    asOfEpochMs: 3,
  })
  expect(foundList([], 'none')).toBeNull()
})

it('a failure survives the way through a query', () => {
  expect(() => valueOrThrow({ ok: false, error: { code: 'api/timeout' } })).toThrow(CallFailed)
  expect(failureOf(new CallFailed({ code: 'api/timeout' }))).toEqual({ code: 'api/timeout' })
  expect(failureOf(new Error('a bug'))).toEqual({ code: 'api/unexpected' })
  expect(failureOf(null)).toBeNull()
})
