import { expect, it } from 'vitest'
import { paths } from '#src/config/paths.ts'
import { isOfApp } from '#workers/service/app-paths.ts'

const id = '0197a3f2-7c1e-7b90-a111-000000000005'
const pages = Object.values(paths).map((path) => (typeof path === 'string' ? path : path(id)))
const isAnswered = (address: string): boolean => isOfApp(new URL(address, 'https://onecut.test'))

it.each([
  ...pages,
  '/edits?q=scene.mp4&sort=name',
  '/report?of=https://onecut.test/a.jpg',
  '/nothing/is/here',
  '/editors',
  '/developers',
])('MIS-01 the app answers %s without a network', (address) => {
  expect(isAnswered(address)).toBe(true)
})

it.each([
  '/editors/api/v1/auth/magic-link/callback?token=a.b',
  '/editors/',
  '/dev/mail',
  '/missing.js',
  '/assets/index-4f.css?v=1',
  '/help/a.b.html',
])('leaves %s to the server', (address) => {
  expect(isAnswered(address)).toBe(false)
})
