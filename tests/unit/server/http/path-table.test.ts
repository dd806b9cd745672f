import { expect, it } from 'vitest'
import { createPathTable } from '#server/http/path-table.ts'

const entries = [
  { id: 'list', method: 'get', path: '/v1/jobs' },
  { id: 'page', method: 'get', path: '/v1/jobs/paginated' },
  { id: 'one', method: 'get', path: '/v1/jobs/{id}' },
  { id: 'rename', method: 'patch', path: '/v1/jobs/{id}' },
  { id: 'odd', method: 'patch', path: '/v1/{userId}/profile' },
] as const
const table = createPathTable('/api', entries)
const found = (method: string, path: string): string | undefined => table.find(path).get(method)?.id

it.each([
  ['get', '/api/v1/jobs', 'list'],
  ['get', '/api/v1/jobs//', 'list'],
  ['get', '/api/v1/jobs/paginated', 'page'],
  ['get', '/api/v1/jobs/paginate', 'one'],
  ['patch', '/api/v1/jobs/paginated', 'rename'],
  ['patch', '/api/v1/x/profile', 'odd'],
  ['get', '/api/v1/x/profile', undefined],
  ['get', '/api/v1/jobs/x/y', undefined],
  ['get', '/api/v1//jobs', undefined],
  ['get', '/api', undefined],
  ['get', '/api/', undefined],
  ['get', '/apiv1/jobs', undefined],
  ['get', '/v1/jobs', undefined],
])('%s %s is %s', (method, path, id) => {
  expect(found(method, path)).toBe(id)
})

it('says all methods of a path, and what stands where its template has a name', () => {
  expect([...table.find('/api/v1/jobs/7').keys()]).toEqual(['get', 'patch'])
  expect(table.valuesIn('/api/v1/jobs/a%20b/', '/v1/jobs/{id}')).toEqual({ id: 'a%20b' })
})
