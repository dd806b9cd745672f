import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { expect, test } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

test('PHO-05 the page that the service worker answers with has the plain name from its first byte, and installs as it', async ({
  context,
  page,
}) => {
  await beSignedIn(page, server)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.goto(`${server.origin}/user-profile`)
  const box = page.getByRole('checkbox', { name: 'Call it “Planner” on this device' })
  await page.getByText('Call it “Planner” on this device').click()
  await expect(box).toBeChecked()
  await page.getByText('Plain words in mails and messages').click()
  await photograph(page, 'discreet')
  await expect.poll(() => page.title()).toBe('Planner')

  const html = await (await page.reload())?.text()
  expect(html).toContain('<title>Planner</title>')
  expect(html?.slice(0, html.indexOf('</head>'))).not.toMatch(/>[^<]*onecut/i)
  await expect(box).toBeChecked()
  const devtools = await context.newCDPSession(page)
  const { url, data } = await devtools.send('Page.getAppManifest')
  expect(url).toBe(`${server.origin}/plain.webmanifest`)
  expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Planner', id: '/?plain' })
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Which is the test's own window.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])

  await page.getByText('Call it “Planner” on this device').click()
  await expect.poll(() => page.title()).toBe('Your Account · Onecut')
  expect(await (await page.reload())?.text()).toContain('<title>Onecut</title>')
})
