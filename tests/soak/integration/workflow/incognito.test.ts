import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { colourOf, distance, pitchOf, samplesOf } from '#tests/integration/recipes/voice.ts'
import { download } from '#tests/setup/moments.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import {
  difference,
  FACES,
  frameOf,
  GROUND,
  makeThreeFaces,
  WIDTH,
} from '#tests/setup/three-faces.ts'
import { uploadFile } from '#tests/setup/upload.ts'

type Answer = { faceReview: components['schemas']['FaceReview'] }

let server: TestServer
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-incognito-'))
  server = await startTestServer()
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const stop = () => AbortSignal.timeout(patience(60))

it('REC-19 the incognito scene that is downloaded covers whom its owner left covered, has another voice and no tags', async () => {
  const { client } = await server.signUp()
  const path = join(dir, 'people.mov')
  const tags = ['title=private title', 'location=+52.5200+013.4050/', 'make=SecretMaker']
  await makeThreeFaces(path, 3, 5, [
    '-i',
    join(import.meta.dirname, '../../../fixtures/voices/high.ogg'),
    ...'-c:a aac -shortest -movflags +use_metadata_tags'.split(' '),
    ...tags.flatMap((tag) => ['-metadata', tag]),
  ])
  const upload = await uploadFile(client, path)
  await validateUpload(server.deps, { uploadRequestId: upload._id, signal: stop() })
  // Each upload draws one, and some characters have nearly the pitch of this voice.
  const { db } = server.deps
  await db.update(uploadRequests).set({ secret: SECRET }).where(eq(uploadRequests.id, upload._id))
  const payload = { obfuscateVoice: true, denoiseAudio: true }
  const { _id: jobId, tasks } = await requestEdits(client, upload._id, [
    { mediaJobTaskPresetSlug: 'incognito-full-scene', payload },
  ])
  await payFor(client, jobId)
  const taskId = tasks[0]?._id ?? ''
  const faces = `/v1/media-job-tasks/${taskId}/faces`
  // The search of the server itself, and a person who wants to be seen.
  await renderTask(server.deps, { taskId, stop: stop() })
  const { finding } = (await client.get<Answer>(faces)).body.faceReview
  const [, seen] = FACES
  const uncovered = (finding?.tracks ?? []).flatMap(({ id, boxes: [box] }) =>
    Math.abs(((box?.x ?? 0) + (box?.width ?? 0) / 2) * WIDTH - seen[0] - seen[2] / 2) < 20
      ? [id]
      : [],
  )
  expect(uncovered).toHaveLength(1)
  const body = { faceReview: { basedOn: 0, decisions: { uncovered, added: [], wholly: [] } } }
  expect((await client.call('PUT', faces, { body })).status).toBe(200)
  const end = { body: { faceReview: { basedOn: 1 } } }
  expect((await client.call('POST', `${faces}/finish`, end)).status).toBe(200)
  await renderTask(server.deps, { taskId, stop: stop() })
  const [task] = (await fetchJob(client, jobId)).tasks
  if (task?.status !== 'succeeded') throw new Error(JSON.stringify(task))
  const made = join(dir, 'incognito.mp4')
  await download(client, task, 0, made)

  const [before, after] = [await frameOf(path, 1.5), await frameOf(made, 1.5)]
  const [first, middle, last] = FACES.map((face) => difference(before, after, face))
  expect(first).toBeGreaterThan(12)
  expect(middle).toBeLessThan(5)
  expect(last).toBeGreaterThan(12)
  expect(difference(before, after, GROUND)).toBeLessThan(5)

  const [was, is] = [await samplesOf(path), await samplesOf(made)]
  expect(is.length / was.length).toBeCloseTo(1, 1)
  expect(Math.abs(Math.log2(pitchOf(is) / pitchOf(was)))).toBeGreaterThan(0.04)
  expect(distance(colourOf(is), colourOf(was))).toBeGreaterThan(2)

  const told = ['private title', '+52.5200', 'SecretMaker']
  const tellsIn = async (file: string) => {
    const bytes = await readFile(file, 'latin1')
    return [...told, 'Lavf', 'Lavc', 'x264'].filter((each) => bytes.includes(each))
  }
  expect(await tellsIn(path)).toEqual(expect.arrayContaining(told))
  expect(await tellsIn(made)).toEqual([])
})
