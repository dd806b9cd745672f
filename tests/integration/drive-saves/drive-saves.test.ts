import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import {
  driveSaves,
  externalAuths,
  mediaJobTasks,
  rateEvents,
  uploadRequests,
} from '#server/db/schema.ts'
import { runDriveSave } from '#server/operations/processing/drive-saves/run.ts'
import { reconcile } from '#server/operations/workflows/upkeep/reconcile.ts'
import { startFakeGoogle, type FakeGoogle } from '#tests/fakes/google/server.ts'
import type { DriveEntry, FakeWriting } from '#tests/fakes/google/writing.ts'
import { connectDrive } from '#tests/setup/drive.ts'
import { storeResults, type StoredResult } from '#tests/setup/saved-results.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { unzip } from '#tests/setup/zip.ts'

type DriveSave = components['schemas']['DriveSave']
interface Answer {
  readonly driveSaves: DriveSave[]
  readonly error?: { readonly code: string; readonly message: string }
}

const MIB = 1024 ** 2
const MINUTE_MS = 60_000
/** One piece. */
const SMALL = 300 * 1024
/** A whole piece and the beginning of a second. */
const LARGE = 9 * MIB
const FOLDER = 'application/vnd.google-apps.folder'

let google: FakeGoogle
let writing: FakeWriting
let server: TestServer
let me: SignedUp
let drive: string
let job: Awaited<ReturnType<typeof storeResults>>
let now = Date.parse('2026-11-23T12:00:00Z')

beforeAll(async () => {
  google = await startFakeGoogle()
  ;({ writing } = google)
  server = await startTestServer({ clock: () => new Date(now), google })
  me = await server.signUp()
})
beforeEach(async () => {
  // Limits count by the hour.
  now += 65 * MINUTE_MS
  writing.clear()
  drive = await connectDrive(me.client, google)
  job = await storeResults(server.deps, me.userId, [SMALL])
})
afterAll(async () => {
  await server.stop()
  await google.stop()
})

const path = (id = job.jobId): string => `/v1/media-jobs/${id}/drive-saves`
const start = async (taskIds: readonly string[] | null = null) =>
  await me.client.post<Answer>(path(), { externalAuthId: drive, taskIds })
const beginLarge = async (): Promise<DriveSave> => {
  job = await storeResults(server.deps, me.userId, [LARGE])
  return await begin()
}
const begin = async (): Promise<DriveSave> => {
  const answer = await start()
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return first(answer.body.driveSaves)
}
const list = async (): Promise<DriveSave[]> => (await me.client.get<Answer>(path())).body.driveSaves
const first = (saves: readonly DriveSave[]): DriveSave => {
  const [save] = saves
  if (save === undefined) throw new Error('Nothing is saved')
  return save
}
const state = async (): Promise<DriveSave> => first(await list())
const run = async (id: string, { signal } = new AbortController()): Promise<void> => {
  await runDriveSave(server.deps, { driveSaveId: id, signal })
}
/** Runs until nothing is due any more, with the rests that a drive asks for. */
const runThrough = async (id: string): Promise<DriveSave> => {
  for (let n = 0; n < 20; n += 1) {
    await run(id)
    const { state: known, waitsFor } = await state()
    if (known !== 'waiting' || waitsFor === 'sign-in') break
    now += 11 * MINUTE_MS
  }
  return await state()
}
const files = (): DriveEntry[] =>
  [...writing.entries.values()].filter(({ mimeType }) => mimeType !== FOLDER)
const folders = (): DriveEntry[] =>
  [...writing.entries.values()].filter(({ mimeType }) => mimeType === FOLDER)
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
/** That the drive has each result once, whole, in the folder of its video, and nothing else. */
const expectWhole = (results: readonly StoredResult[] = job.results): void => {
  expect(files().map(({ name, bytes }) => [name, sha(bytes)])).toEqual(
    results.map(({ fileName, sha256 }) => [fileName, sha256]),
  )
  const [top, ofVideo] = folders()
  expect(folders().map(({ name }) => name)).toEqual(['Onecut', 'scene'])
  expect(ofVideo?.parents).toEqual([top?.id])
  expect(files().map(({ parents }) => parents)).toEqual(results.map(() => [ofVideo?.id]))
}
const rowOf = async (id: string) =>
  (await server.deps.db.select().from(driveSaves).where(eq(driveSaves.id, id)))[0]

describe('saving results to a drive', () => {
  it('LIF-09 puts each file once into the folder of its video, and says where it is', async () => {
    const save = await beginLarge()
    expect(save).toMatchObject({
      state: 'waiting',
      waitsFor: 'turn',
      sizeBytes: LARGE,
      savedBytes: 0,
      driveUrl: null,
      failure: null,
    })
    await run(save._id)
    const saved = await state()
    expect(saved).toMatchObject({ state: 'saved', savedBytes: LARGE, waitsFor: null })
    expect(saved.driveUrl).toBe(`https://drive.google.com/file/d/${files()[0]?.id ?? ''}/view`)
    expectWhole()
    expect(writing.asked.filter((step) => step === 'write-piece')).toHaveLength(2)
    // Where the bytes went is forgotten.
    expect(await rowOf(save._id)).toMatchObject({ sessionCipher: null, seenAt: null })
  })

  it('LIF-09 a second press, and a second device, make no second copy', async () => {
    const [one, two] = await Promise.all([begin(), begin()])
    expect(one._id).toBe(two._id)
    await Promise.all([run(one._id), run(one._id)])
    await begin()
    await run(one._id)
    expect((await list()).map(({ state: known }) => known)).toEqual(['saved'])
    expectWhole()
  })

  it('PHO-05 puts a file of a discreet account into folders that name neither product nor video', async () => {
    const discreet = async (value: boolean) =>
      await me.client.patch(`/v1/${me.userId}/profile`, { userProfile: { discreet: value } })
    await discreet(true)
    const save = await begin()
    expect((await runThrough(save._id)).state).toBe('saved')
    expect(folders().map(({ name }) => name)).toEqual([
      'Clips',
      expect.stringMatching(/^clip-\d{4}$/),
    ])
    await discreet(false)
  })

  it('LIF-09 finds its folders again, also when people have renamed them', async () => {
    const save = await begin()
    await run(save._id)
    const [top, ofVideo] = folders()
    for (const folder of [top, ofVideo])
      if (folder !== undefined) writing.entries.set(folder.id, { ...folder, name: 'Renamed' })
    const { jobId, results } = await storeResults(server.deps, me.userId, [100])
    await me.client.post<Answer>(path(jobId), { externalAuthId: drive, taskIds: null })
    const [other] = (await me.client.get<Answer>(path(jobId))).body.driveSaves
    await run(other?._id ?? '')
    expect(folders().map(({ name }) => name)).toEqual(['Renamed', 'Renamed', 'scene'])
    expect(files().map(({ bytes }) => sha(bytes))).toContain(results[0]?.sha256)
  })

  it('LIF-09 saves the chosen edits only, one of an account after the other', async () => {
    job = await storeResults(server.deps, me.userId, [10, 20, 30])
    const [, chosen, other] = job.results
    expect((await start([chosen?.taskId ?? ''])).body.driveSaves).toHaveLength(1)
    const both = (await start([chosen?.taskId ?? '', other?.taskId ?? ''])).body.driveSaves
    expect(both.map(({ fileName }) => fileName)).toEqual([chosen?.fileName, other?.fileName])
    for (const { _id } of both) await run(_id)
    expectWhole(job.results.slice(1))
  })

  it('LIF-09 refuses what is no drive, no job and no file of the person', async () => {
    const stranger = await server.signUp()
    const asked = { externalAuthId: drive, taskIds: null }
    const codes = async (answer: Promise<{ status: number; body: Answer }>) => {
      const { status, body } = await answer
      return [status, body.error?.code]
    }
    expect(await codes(stranger.client.post<Answer>(path(), asked))).toEqual([
      404,
      'media-jobs/not-found',
    ])
    expect(
      await codes(
        me.client.post<Answer>(path(), { ...asked, externalAuthId: crypto.randomUUID() }),
      ),
    ).toEqual([404, 'external-auths/not-found'])
    expect(
      await codes(me.client.post<Answer>(path(), { ...asked, taskIds: [crypto.randomUUID()] })),
    ).toEqual([404, 'outputs/not-found'])
    await server.deps.db
      .update(mediaJobTasks)
      .set({ status: 'started' })
      .where(eq(mediaJobTasks.mediaJobId, job.jobId))
    expect(await codes(start())).toEqual([404, 'outputs/not-found'])
    expect(await list()).toEqual([])
  })

  it('LIF-09 asks for the right to save where the connection only reads', async () => {
    await server.deps.db
      .update(externalAuths)
      .set({ scopes: 'https://www.googleapis.com/auth/drive.readonly' })
      .where(eq(externalAuths.id, drive))
    const { status, body } = await start()
    expect([status, body.error]).toEqual([
      422,
      {
        code: 'external-auths/save-permission-missing',
        message: 'Your Google Drive integration cannot save files. Please reauthorize...',
      },
    ])
    const auths = await me.client.get<{
      externalAuths: components['schemas']['ExternalAuth'][]
    }>('/v1/external-auths')
    expect(auths.body.externalAuths[0]?.externalAuthCredentials).toMatchObject({
      hasDownloadFilePermission: true,
      hasSaveFilePermission: false,
    })
  })
})

describe('a drive with troubles', () => {
  it('LIF-09 a piece that breaks off goes on from what the drive has', async () => {
    const save = await beginLarge()
    writing.troubles.push({ on: 'write-piece', kind: 'cut', afterBytes: 3 * MIB + 100 })
    await run(save._id)
    expect(await state()).toMatchObject({ state: 'waiting', waitsFor: 'drive' })
    expect((await state()).nextAttemptInSeconds).toBeGreaterThan(0)
    expect((await runThrough(save._id)).state).toBe('saved')
    expectWhole()
    // At most 256 KiB went twice.
    expect(writing.sentBytes() - LARGE).toBeLessThan(MIB / 4)
  })

  it('LIF-09 an answer that is lost after the last piece makes no second copy', async () => {
    const save = await begin()
    writing.troubles.push({ on: 'write-piece', kind: 'lost-answer' })
    await run(save._id)
    expect(files()).toHaveLength(1)
    writing.expireSessions()
    expect((await runThrough(save._id)).state).toBe('saved')
    expectWhole()
    expect(writing.sentBytes()).toBe(SMALL)
  })

  it('LIF-09 a session that is over is followed by a new one', async () => {
    const save = await begin()
    writing.troubles.push({ on: 'write-piece', kind: 'cut', afterBytes: 100 })
    await run(save._id)
    writing.expireSessions()
    expect((await runThrough(save._id)).state).toBe('saved')
    expectWhole()
  })

  it('LIF-09 a token that ends in the middle is refreshed once', async () => {
    const save = await beginLarge()
    writing.onStep = (step, when) => {
      if (step === 'write-piece' && when === 'after') {
        writing.onStep = null
        google.expireAccess()
      }
    }
    const before = google.asked.filter((asked) => asked === 'POST /token').length
    await run(save._id)
    expect((await state()).state).toBe('saved')
    expectWhole()
    expect(google.asked.filter((asked) => asked === 'POST /token')).toHaveLength(before + 1)
  })

  it('LIF-09 a drive that lets us in no more pauses, and goes on once it is connected again', async () => {
    const save = await beginLarge()
    writing.onStep = (step, when) => {
      if (step === 'write-piece' && when === 'after') {
        writing.onStep = null
        google.removeAccess()
      }
    }
    await run(save._id)
    expect(await state()).toMatchObject({
      state: 'waiting',
      waitsFor: 'sign-in',
      savedBytes: 8 * MIB,
    })
    now += 11 * MINUTE_MS
    await run(save._id)
    expect((await state()).waitsFor).toBe('sign-in')
    const again = await me.client.post<Answer>(path(), { externalAuthId: drive, taskIds: null })
    expect(again.body.error?.code).toBe('external-auths/refresh-expired')
    expect(await connectDrive(me.client, google)).toBe(drive)
    expect((await state()).waitsFor).toBe('turn')
    await run(save._id)
    expect((await state()).state).toBe('saved')
    expectWhole()
    expect(writing.sentBytes()).toBe(LARGE)
  })

  it.each([
    [403, 'storageQuotaExceeded', 'drive-full'],
    [403, 'domainPolicy', 'refused'],
    [400, 'badRequest', 'refused'],
  ] as const)(
    'LIF-09 %i %s ends with a sentence, and can be tried again',
    async (status, reason, code) => {
      const save = await begin()
      writing.troubles.push({ on: 'open-session', kind: 'error', status, reason })
      await run(save._id)
      const failed = await state()
      expect(failed).toMatchObject({ state: 'failed', failure: { code }, waitsFor: null })
      expect(failed.failure?.message).toMatch(/\.$/)
      await run(save._id)
      expect(files()).toEqual([])
      expect((await begin())._id).toBe(save._id)
      expect((await runThrough(save._id)).state).toBe('saved')
      expectWhole()
    },
  )

  it.each([
    [429, 'rateLimitExceeded', '600', 600],
    [403, 'userRateLimitExceeded', undefined, 1],
    [503, 'backendError', undefined, 1],
  ] as const)(
    'LIF-09 %i %s rests as long as it is asked to',
    async (status, reason, after, least) => {
      const save = await begin()
      const retryAfter = after === undefined ? {} : { retryAfter: after }
      writing.troubles.push({ on: 'write-piece', kind: 'error', status, reason, ...retryAfter })
      await run(save._id)
      const waiting = await state()
      expect(waiting).toMatchObject({ state: 'waiting', waitsFor: 'drive' })
      expect(waiting.nextAttemptInSeconds).toBeGreaterThanOrEqual(least)
      const asked = writing.asked.length
      await run(save._id)
      expect(writing.asked).toHaveLength(asked)
      expect((await runThrough(save._id)).state).toBe('saved')
      expectWhole()
    },
  )

  it('LIF-09 gives up what a drive does not take for 24 hours', async () => {
    const save = await begin()
    writing.troubles.push({ on: 'new-id', kind: 'error', status: 500 })
    await run(save._id)
    now += 25 * 60 * MINUTE_MS
    await run(save._id)
    expect(await state()).toMatchObject({ state: 'failed', failure: { code: 'silent' } })
  })

  it('LIF-09 removes a file that did not arrive as it was sent', async () => {
    const save = await begin()
    writing.falseMd5 = 'd41d8cd98f00b204e9800998ecf8427e'
    await run(save._id)
    expect(await state()).toMatchObject({
      state: 'failed',
      failure: { code: 'damaged' },
      savedBytes: 0,
    })
    expect(files()).toEqual([])
    writing.falseMd5 = null
    await begin()
    await run(save._id)
    expectWhole()
  })

  it('LIF-09 says that a file is gone which the server has no more', async () => {
    const save = await begin()
    await server.deps.store.remove(job.results[0]?.objectKey ?? '')
    await run(save._id)
    expect(await state()).toMatchObject({ state: 'failed', failure: { code: 'file-gone' } })
  })
})

describe('what ends or stops a save', () => {
  /** Runs a save, and does `what` once its first piece has arrived. */
  const runUntilPiece = async (id: string, what: () => Promise<void>): Promise<void> => {
    writing.onStep = async (step, when) => {
      if (step !== 'write-piece' || when !== 'after') return
      writing.onStep = null
      await what()
    }
    await run(id)
  }

  it('LIF-09 what is cancelled leaves nothing in the drive, and can begin again', async () => {
    const save = await begin()
    await runUntilPiece(save._id, async () => {
      const answer = await me.client.delete<Answer>(path())
      expect(answer.body.driveSaves.map(({ state: known }) => known)).toEqual(['canceled'])
    })
    expect((await state()).state).toBe('canceled')
    expect(files()).toEqual([])
    await run(save._id)
    expect(files()).toEqual([])
    await begin()
    await run(save._id)
    expectWhole()
    // What is saved stays saved.
    expect((await me.client.delete<Answer>(path())).body.driveSaves[0]?.state).toBe('saved')
  })

  it('LIF-09 cancels the saves of one edit, and not those of a stranger', async () => {
    job = await storeResults(server.deps, me.userId, [10, 20])
    await start()
    const stranger = await server.signUp()
    expect((await stranger.client.delete<Answer>(path())).body.error?.code).toBe(
      'media-jobs/not-found',
    )
    const answer = await me.client.delete<Answer>(`${path()}?taskId=${job.results[0]?.taskId}`)
    expect(answer.body.driveSaves.map(({ state: known }) => known)).toEqual(['canceled', 'waiting'])
  })

  it('INT-03 disconnecting a drive cancels its saves and forgets where they went', async () => {
    const save = await beginLarge()
    writing.troubles.push({ on: 'write-piece', kind: 'cut', afterBytes: MIB })
    await run(save._id)
    expect((await rowOf(save._id))?.sessionCipher).not.toBeNull()
    await me.client.delete(`/v1/external-auths/${drive}`)
    expect(await rowOf(save._id)).toMatchObject({ state: 'canceled', sessionCipher: null })
    now += 11 * MINUTE_MS
    await run(save._id)
    expect(files()).toEqual([])
  })

  it('TRU-09 a held video is not saved, and goes on once it is released', async () => {
    const save = await begin()
    const hold = async (heldAt: Date | null) =>
      void (await server.deps.db
        .update(uploadRequests)
        .set({ heldAt })
        .where(eq(uploadRequests.id, job.uploadId)))
    await hold(new Date(now))
    await run(save._id)
    expect(writing.asked).toEqual([])
    for (const answer of [await start(), await me.client.get<Answer>(path())])
      expect([answer.status, answer.body.error?.code]).toEqual([451, 'uploads/held'])
    await hold(null)
    await run(save._id)
    expectWhole()
  })

  it('LIF-09 keeps where bytes go out of the database, the answers and the log', async () => {
    const save = await beginLarge()
    writing.troubles.push({ on: 'write-piece', kind: 'cut', afterBytes: MIB })
    await run(save._id)
    const everywhere = JSON.stringify([await rowOf(save._id), await list(), server.logged])
    expect(everywhere).toContain(save._id)
    expect(everywhere).not.toMatch(/upload_id|uploadType/)
  })

  it('TRU-08 a copy of the account says what was saved', async () => {
    const save = await begin()
    await run(save._id)
    const archive = unzip((await me.client.get('/v1/users/me/export')).bytes)
    const saved = JSON.parse(archive.get('drive-saves.json')?.toString() ?? '') as DriveSave[]
    expect(saved.find(({ _id }) => _id === save._id)).toMatchObject({
      state: 'saved',
      mediaJobId: job.jobId,
    })
  })

  it('LIF-09 a save whose message was lost is found again', async () => {
    const save = await begin()
    const { rows } = await server.deps.db.execute<{ n: number }>(
      sql`delete from pgboss.job where name = 'save-to-drive' returning 1 as n`,
    )
    expect(rows.length).toBeGreaterThan(0)
    await reconcile(server.deps)
    const queued = await server.deps.db.execute(
      sql`select 1 from pgboss.job where name = 'save-to-drive' and data->>'driveSaveId' = ${save._id}`,
    )
    expect(queued.rows).toHaveLength(1)
  })

  it('LIF-09 begins 60 times an hour at most', async () => {
    const begun = { key: `drive-saves:${me.userId}`, at: new Date(now) }
    await server.deps.db.insert(rateEvents).values(Array.from({ length: 59 }, () => begun))
    await begin()
    expect((await start()).body.error?.code).toBe('request/too-many')
  })
})

describe('a process that dies', () => {
  /** A server whose database and lines end at once, as with `kill -9`. */
  const mortal = () => {
    const life = new AbortController()
    const db = new Proxy(server.deps.db, {
      get: (target, name) => {
        const isWrite = name === 'update' || name === 'transaction'
        const value: unknown = Reflect.get(target, name)
        if (isWrite) onWrite()
        if (!life.signal.aborted || name === '$client') return value
        return () => {
          throw new Error('killed')
        }
      },
    })
    let writesLeft = Infinity
    const onWrite = (): void => {
      if (writesLeft === 0) life.abort(new Error('killed'))
      writesLeft -= 1
    }
    return {
      deps: { ...server.deps, db },
      signal: life.signal,
      kill: () => life.abort(new Error('killed')),
      killAtWrite: (number: number) => (writesLeft = number),
    }
  }
  const dieOnce = async (id: string, prepare: (life: ReturnType<typeof mortal>) => void) => {
    const life = mortal()
    prepare(life)
    await runDriveSave(life.deps, { driveSaveId: id, signal: life.signal }).catch(
      (error: unknown) => {
        if (!life.signal.aborted) throw error
      },
    )
    writing.onStep = null
    return life.signal.aborted
  }
  /** Goes on as another process would, and says whether the drive has the file once. */
  const goOn = async (id: string): Promise<void> => {
    expect((await runThrough(id)).state).toBe('saved')
    expectWhole()
    expect(folders()).toHaveLength(2)
  }

  it('LIF-09 before or after any request makes exactly one file', async () => {
    let hasDied = true
    for (let at = 0; hasDied; at += 1) {
      writing.clear()
      job = await storeResults(server.deps, me.userId, [SMALL])
      const save = await begin()
      let left = at
      hasDied = await dieOnce(save._id, (life) => {
        writing.onStep = () => {
          if (left === 0) life.kill()
          left -= 1
        }
      })
      await goOn(save._id)
      if (!hasDied) expect(at).toBeGreaterThan(15)
    }
  })

  it('LIF-09 before any write to the database makes exactly one file', async () => {
    let hasDied = true
    for (let at = 0; hasDied; at += 1) {
      writing.clear()
      job = await storeResults(server.deps, me.userId, [SMALL])
      const save = await begin()
      hasDied = await dieOnce(save._id, (life) => life.killAtWrite(at))
      await goOn(save._id)
      if (!hasDied) expect(at).toBeGreaterThan(5)
    }
  })
})
