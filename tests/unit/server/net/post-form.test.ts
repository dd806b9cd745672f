import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseImportHosts } from '#server/net/import-hosts.ts'
import { createOutgoing, OutgoingError } from '#server/net/outgoing.ts'
import { createPostForm, type PostForm } from '#server/net/post-form.ts'
import { linkedFile, startLinkHost, type LinkHost } from '#tests/fakes/link-host.ts'

let host: LinkHost
let post: PostForm
beforeAll(async () => {
  host = await startLinkHost()
  const hosts = parseImportHosts(`share.example:${host.port}`) ?? []
  post = createPostForm(createOutgoing(hosts, host.reach))
})
afterAll(async () => await host.stop())

const answers = (path: string, body: string): string => {
  host.files.set(path, linkedFile(Buffer.from(body)))
  return host.origin + path
}
const form = { token: 'secret' }

it('CLD-03 reads the short answer of a service, and nothing of one that is long or no JSON', async () => {
  expect(await post(answers('/token', '{"ok":true}'), form)).toEqual({
    status: 200,
    body: { ok: true },
  })
  const long = JSON.stringify('a'.repeat(65 * 1024))
  expect(await post(answers('/long', long), form)).toEqual({ status: 200, body: null })
  expect(await post(answers('/page', '<p>'), form)).toEqual({ status: 200, body: null })
  expect(await post(`${host.origin}/nothing`, form)).toEqual({ status: 404, body: null })
})

it('UPL-11 sends a form to its own host only, and never after a redirect', async () => {
  const link = answers('/token', '{}')
  await expect(post('https://other.example/token', form)).rejects.toEqual(new OutgoingError('host'))
  await expect(post(link.replace('https:', 'http:'), form)).rejects.toEqual(
    new OutgoingError('not-a-link'),
  )
  host.troubles.push({ kind: 'redirect', to: link })
  await expect(post(link, form)).rejects.toEqual(new OutgoingError('redirects'))
})
