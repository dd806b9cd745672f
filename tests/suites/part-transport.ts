import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PartRequest, PartTransport } from '#src/local/uploads/ports.ts'

/** How the storage treats the next part. */
export type Treatment =
  | 'stores'
  /** Stores it, but the page must not read the ETag. */
  | 'hides-etag'
  /** A captive portal answers 200 with a page of its own. */
  | 'portal'
  /** Takes the part and answers with a page that never ends. */
  | 'floods'
  /** The connection breaks before the answer. */
  | 'breaks'
  /** Neither answers nor breaks. */
  | 'hangs'
  /** Refuses, as S3 does when it is overloaded: 503, `Retry-After: 7`, code `SlowDown`. */
  | 'slow-down'

/** A transport under test and the storage that it sends to. */
export interface TransportUnderTest {
  readonly transport: PartTransport
  readonly partBytes: number
  /** A request for a new part, without its signal and listener. */
  newPart(): Promise<Pick<PartRequest, 'url' | 'body' | 'sha256'>>
  /** How much of the part the storage holds. */
  holds(url: string): Promise<number>
  treat(treatment: Treatment): void
  /** Resolves once a request has reached the storage. */
  reached(): Promise<void>
  /** Whether the storage has the part of this address whole. */
  isStored(url: string): Promise<boolean>
  /** Lets the time of the test pass until the work has settled. */
  settle<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
}

const PACE = { failedConnects: 0, unanswered: 0, expectedGapMs: null, bytesPerSecond: null }

/** What every transport of parts does, whatever sends the bytes. */
export function describePartTransport(
  name: string,
  create: () => Promise<TransportUnderTest>,
): void {
  describe(`part transport: ${name}`, () => {
    let under: TransportUnderTest
    beforeEach(async () => {
      under = await create()
    })
    afterEach(() => under.close())

    /** Starts sending a part; `sent` collects the progress. */
    const start = async (signal = new AbortController().signal) => {
      const sent: number[] = []
      const part = await under.newPart()
      const onSent = (bytes: number): void => void sent.push(bytes)
      const whole = { offset: 0, partSizeBytes: part.body.size }
      const outcome = under.transport.put({ ...part, ...whole, pace: PACE, signal, onSent })
      // The test may look at it only later.
      outcome.catch(() => undefined)
      return { url: part.url, outcome, sent }
    }

    it('UPL-09 stores the part and returns its ETag without quotes', async () => {
      under.treat('stores')
      const { url, outcome } = await start()
      const seen = await under.settle(outcome)
      expect(seen).toMatchObject({
        kind: 'answer',
        status: 200,
        errorCode: null,
        retryAfterMs: null,
        isOwn: true,
      })
      expect(seen.kind === 'answer' ? seen.eTag : null).toMatch(/^[\w-]+$/)
      expect(await under.isStored(url)).toBe(true)
    })

    it('reports bytes that only grow, and all of them by the end', async () => {
      under.treat('stores')
      const { outcome, sent } = await start()
      await under.settle(outcome)
      expect(sent).toEqual(sent.toSorted((a, b) => a - b))
      expect(sent.at(-1)).toBe(under.partBytes)
    })

    it('returns null for an ETag that it must not read', async () => {
      under.treat('hides-etag')
      const { outcome } = await start()
      expect(await under.settle(outcome)).toMatchObject({ status: 200, eTag: null })
    })

    it('UPL-09 returns a refusal with its code and when to try again', async () => {
      under.treat('slow-down')
      const { url, outcome } = await start()
      expect(await under.settle(outcome)).toMatchObject({
        kind: 'answer',
        status: 503,
        retryAfterMs: 7_000,
        errorCode: 'SlowDown',
        isOwn: true,
      })
      expect(await under.isStored(url)).toBe(false)
    })

    it('does not take the page of a captive portal for an answer of the storage', async () => {
      under.treat('portal')
      const { outcome } = await start()
      expect(await under.settle(outcome)).toMatchObject({ kind: 'answer', isOwn: false })
    })

    it('reads no more of an answer than a storage ever says', async () => {
      under.treat('floods')
      const { outcome } = await start()
      expect(await under.settle(outcome)).toMatchObject({
        kind: 'answer',
        errorCode: null,
        isOwn: false,
      })
    })

    it('resolves with silence when the connection breaks', async () => {
      under.treat('breaks')
      const { outcome } = await start()
      expect(await under.settle(outcome)).toMatchObject({ kind: 'silence', didStall: false })
    })

    it('rejects with AbortError when aborted on the way, whatever the reason', async () => {
      under.treat('hangs')
      const dropped = new AbortController()
      const { outcome } = await start(dropped.signal)
      await under.settle(under.reached())
      dropped.abort('not wanted')
      await expect(under.settle(outcome)).rejects.toMatchObject({ name: 'AbortError' })
    })

    it('rejects with AbortError and sends nothing when aborted before', async () => {
      under.treat('stores')
      const { url, outcome } = await start(AbortSignal.abort('not wanted'))
      await expect(under.settle(outcome)).rejects.toMatchObject({ name: 'AbortError' })
      expect(await under.isStored(url)).toBe(false)
    })

    describe('a part in pieces', () => {
      const ask = async (
        part: Pick<PartRequest, 'url' | 'sha256'>,
        signal = new AbortController().signal,
      ) => await under.settle(under.transport.offset({ ...part, pace: PACE, signal }))
      const piece = async (
        part: Pick<PartRequest, 'url' | 'body' | 'sha256'>,
        offset: number,
        end: number,
      ) =>
        await under.settle(
          under.transport.put({
            ...part,
            body: part.body.slice(offset, end),
            offset,
            partSizeBytes: part.body.size,
            pace: PACE,
            signal: new AbortController().signal,
            onSent: () => undefined,
          }),
        )

      it('SAF-03 is answered with how much is held, and with the ETag when it is whole', async () => {
        under.treat('stores')
        const part = await under.newPart()
        expect(await ask(part)).toMatchObject({ status: 200, heldBytes: 0, isOwn: true })
        expect(await piece(part, 0, 10)).toMatchObject({ status: 204, heldBytes: 10, isOwn: true })
        expect(await under.holds(part.url)).toBe(10)
        expect(await ask(part)).toMatchObject({ heldBytes: 10 })
        const end = await piece(part, 10, part.body.size)
        expect(end).toMatchObject({ status: 200, eTag: expect.stringMatching(/^[\w-]+$/) })
        expect(await under.isStored(part.url)).toBe(true)
        expect(await ask(part)).toMatchObject({ eTag: expect.stringMatching(/^[\w-]+$/) })
      })

      it('names what is held when it begins elsewhere', async () => {
        under.treat('stores')
        const part = await under.newPart()
        expect(await piece(part, 7, 9)).toMatchObject({ status: 409, heldBytes: 0 })
      })

      it('does not believe a captive portal about the offset', async () => {
        under.treat('portal')
        expect(await ask(await under.newPart())).toMatchObject({ isOwn: false })
      })

      it('rejects with AbortError when the question is aborted', async () => {
        under.treat('stores')
        const part = await under.newPart()
        const asking = under.transport.offset({
          ...part,
          pace: PACE,
          signal: AbortSignal.abort('not wanted'),
        })
        await expect(asking).rejects.toMatchObject({ name: 'AbortError' })
      })
    })
  })
}
