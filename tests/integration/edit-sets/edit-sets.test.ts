import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { unzip } from '#tests/setup/zip.ts'

type EditSet = components['schemas']['EditSet']
type Refusal = { readonly error: { readonly code: string } }

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(() => server.stop())

const two = [
  { mediaJobTaskPresetSlug: 'teaser-15s' },
  { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@name' } },
] as const

async function listed({ client }: SignedUp): Promise<readonly EditSet[]> {
  return (await client.get<{ editSets: EditSet[] }>('/v1/edit-sets')).body.editSets
}

async function save(
  { client }: SignedUp,
  id: string,
  editSet: { readonly name: string; readonly mediaJobTaskRequests: readonly unknown[] },
) {
  const path = `/v1/edit-sets/${id}`
  return await client.call<{ editSet: EditSet } & Refusal>('PUT', path, { body: { editSet } })
}

it('LIF-02 a set is saved once whatever is repeated, changed in its place, and deleted', async () => {
  const me = await server.signUp()
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const _ of [1, 2])
    expect((await save(me, first, { name: ' Usual ', mediaJobTaskRequests: two })).status).toBe(200)
  now += 1000
  await save(me, second, { name: 'Stills', mediaJobTaskRequests: two.slice(0, 1) })
  const renamed = await save(me, first, { name: 'My usual two', mediaJobTaskRequests: two })
  expect(renamed.body.editSet).toMatchObject({ _id: first, name: 'My usual two' })
  expect((await listed(me)).map(({ _id, name }) => [_id, name])).toEqual([
    [second, 'Stills'],
    [first, 'My usual two'],
  ])
  expect((await listed(me))[1]?.mediaJobTaskRequests).toEqual(two)
  const archive = unzip((await me.client.get('/v1/users/me/export')).bytes)
  expect(JSON.parse(String(archive.get('edit-sets.json')))).toHaveLength(2)
  for (const _ of [1, 2])
    expect((await me.client.call('DELETE', `/v1/edit-sets/${first}`)).status).toBe(204)
  expect((await listed(me)).map(({ _id }) => _id)).toEqual([second])
})

it('LIF-02 sets are refused that hold an edit twice, are one too many, or have the id of another account', async () => {
  const me = await server.signUp()
  const ids = Array.from({ length: 20 }, () => crypto.randomUUID())
  for (const id of ids) await save(me, id, { name: 'x', mediaJobTaskRequests: two })
  const set = { name: 'x', mediaJobTaskRequests: two }
  const outcomes = [
    await save(me, crypto.randomUUID(), set),
    await save(me, ids[0] ?? '', { ...set, mediaJobTaskRequests: [two[0], two[0]] }),
    await save(await server.signUp(), ids[0] ?? '', set),
    await save(me, ids[0] ?? '', { ...set, name: '  ' }),
  ].map(({ status, body }) => [status, body.error.code])
  expect(outcomes).toEqual([
    [422, 'edit-sets/too-many'],
    [422, 'presets/doubled'],
    [404, 'edit-sets/not-found'],
    [422, 'request/invalid'],
  ])
  expect(await listed(me)).toHaveLength(20)
  const other = await server.signUp()
  await other.client.call('DELETE', `/v1/edit-sets/${ids[0]}`)
  expect(await listed(me)).toHaveLength(20)
})
