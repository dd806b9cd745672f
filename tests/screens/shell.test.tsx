import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { wallets } from '#src/local/nouns/wallets.ts'
import { fakeUploadRow, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { expectNoise } from '#tests/setup/fail-on-noise.ts'
import { done, pending } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { showOnPhone } from './harness/show-on-phone.ts'

const account = page.getByRole('button', { name: 'Account' })
const main = page.getByRole('navigation', { name: 'Main' })
const texts = (locator: { elements(): Element[] }) =>
  locator.elements().map((element) => element.textContent)

async function atWidth(px: number) {
  await page.viewport(px, 780)
  onTestFinished(() => page.viewport(1280, 800))
}
const onPhone = () => atWidth(360)

describe('the header', () => {
  test('APP-11 a visitor finds Log in and Sign up', async () => {
    await openScreen({ path: '/', person: null })
    await expect.element(main).toBeVisible()
    expect(texts(main.getByRole('link'))).toEqual(['Log in', 'Sign up'])
  })

  test('APP-11 at 360 px they are in a list that opens, closes, and closes when followed', async () => {
    await onPhone()
    const screen = await openScreen({ path: '/', person: null })
    await expect.element(main).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect.element(main.getByRole('link', { name: 'Log in' })).toBeVisible()
    await page.getByRole('button', { name: 'Close menu' }).click()
    await expect.element(main).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await main.getByRole('link', { name: 'Log in' }).click()
    await expect.poll(screen.path).toBe('/login')
    await expect.element(main).not.toBeInTheDocument()
  })

  test('APP-11 Escape closes the list from its button and from inside, and leads back to the button', async () => {
    await onPhone()
    await openScreen({ path: '/', person: null })
    const opener = page.getByRole('button', { name: 'Open menu' })
    const closer = page.getByRole('button', { name: 'Close menu' })
    const first = main.getByRole('link', { name: 'Log in' })
    for (const place of [closer, first]) {
      await opener.click()
      await expect.element(closer).toHaveFocus()
      if (place === first) await userEvent.tab()
      await expect.element(place).toHaveFocus()
      await userEvent.keyboard('{Escape}')
      await expect.element(main).not.toBeInTheDocument()
      await expect.element(opener).toHaveFocus()
    }
  })

  test('APP-11 New Upload begins again, also from the choice of edits for another video', async () => {
    const screen = await openScreen({
      path: `/uploads/${idOf(2)}/media-jobs/new`,
      rows: { uploads: [fakeUploadRow({ uploadRequestId: idOf(2), state: { kind: 'paused' } })] },
    })
    await expect.element(page.getByRole('button', { name: 'Submit for Editing' })).toBeVisible()
    await main.getByRole('link', { name: 'New Upload' }).click()
    await expect.poll(screen.path).toBe('/uploads/new')
    await expect
      .element(page.getByRole('button', { name: 'Submit for Editing' }))
      .not.toBeInTheDocument()
    await expect.element(page.getByRole('heading', { name: '15s Teaser' })).toBeVisible()
  })

  test.each([360, 768, 959, 960])(
    'APP-11 all that a person finds in it fits into %i px',
    async (px) => {
      await atWidth(px)
      await openScreen({
        path: '/edits',
        rows: { wallets: [wallets.toRow(fakeWallet(), NOW)] },
        answers: { listWallets: { wallets: [fakeWallet()] } },
      })
      const last = px < 960 ? page.getByRole('button', { name: 'Open menu' }) : account
      await expect.element(last).toBeInViewport({ ratio: 1 })
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(px)
      expect(last.element().closest('header')?.offsetHeight).toBe(65)
    },
  )

  test('APP-12 the account menu shows the balance and gives the focus back', async () => {
    await openScreen({
      path: '/edits',
      rows: { wallets: [wallets.toRow(fakeWallet(), NOW)] },
      answers: { listWallets: { wallets: [fakeWallet()] } },
    })
    await expect.element(account).toBeVisible()
    expect(texts(main.getByRole('link'))).toEqual([
      'New Upload',
      'My Edits',
      'Referrals',
      'Subscribe',
    ])
    await account.click()
    await expect.element(page.getByText('creator@example.com')).toBeVisible()
    await expect.element(page.getByText('1,000 tokens')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(account).toHaveFocus()
  })

  test('APP-12 the balance stands in the header, at 360 px too', async () => {
    await onPhone()
    await openScreen({
      path: '/edits',
      rows: { wallets: [wallets.toRow(fakeWallet(), NOW)] },
      answers: { listWallets: { wallets: [fakeWallet()] } },
    })
    const balance = page.getByRole('link', { name: 'Balance: 1,000 tokens' })
    await expect.element(balance).toHaveTextContent('1,000')
    await expect.element(balance).toHaveAttribute('href', `/wallets/${idOf(4)}`)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })

  test('APP-12 the balance leads to the first wallet, or to all while none is known', async () => {
    const screen = await openScreen({
      path: '/edits',
      answers: {
        listWallets: pending,
        getWallet: { wallet: fakeWallet() },
        listWalletTransactions: { walletCoinTransactions: [] },
      },
    })
    const balance = page.getByRole('menuitem', { name: /tokens/ })
    await account.click()
    await expect.element(balance).toHaveAttribute('href', '/wallets')
    await screen.db.wallets.put(wallets.toRow(fakeWallet(), NOW))
    await expect.element(balance).toHaveAttribute('href', `/wallets/${idOf(4)}`)
    await balance.click()
    await expect.poll(screen.path).toBe(`/wallets/${idOf(4)}`)
  })

  test('APP-12 the balance is not guessed while it is not known', async () => {
    await openScreen({ path: '/edits', answers: { listWallets: pending } })
    await account.click()
    await expect.element(page.getByText('… tokens')).toBeVisible()
  })

  test('APP-12 the menu is in reach on a phone whose text is twice as large', async () => {
    await showOnPhone('200%')
    await openScreen({
      path: '/edits',
      rows: { wallets: [wallets.toRow(fakeWallet({ spendableCoinAmount: 12_345 }), NOW)] },
    })
    await expect.element(page.getByRole('link', { name: /^Balance/ })).toBeInViewport()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect.element(main.getByRole('link', { name: 'My Edits' })).toBeVisible()
  })

  test('APP-12 at 360 px the list shows balance and Logout', async () => {
    await onPhone()
    expectNoise(/Dexie\.delete\(.*\) was blocked/)
    const screen = await openScreen({
      path: '/edits',
      rows: { wallets: [wallets.toRow(fakeWallet(), NOW)] },
      answers: { listWallets: { wallets: [fakeWallet()] }, logOut: done() },
    })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect
      .element(main.getByRole('link', { name: '1,000 tokens' }))
      .toHaveAttribute('href', `/wallets/${idOf(4)}`)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect.poll(screen.path).toBe('/login')
  })
})

describe('logging out', () => {
  const logOut = async () => {
    await account.click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
  }
  // The wipe waits for queries that are under way, which Dexie reports.
  const expectWait = () => expectNoise(/Dexie\.delete\(.*\) was blocked/)
  const databases = async () => (await indexedDB.databases()).map(({ name }) => name)

  test('AUT-07 leaves nothing on the device', async () => {
    expectWait()
    const screen = await openScreen({ path: '/edits', answers: { logOut: done() } })
    await logOut()
    await expect.poll(screen.path).toBe('/login')
    expect(await databases()).toEqual(['onecut-device'])
    expect(sessionStorage).toHaveLength(0)
    expect(screen.server.calls('logOut')).toHaveLength(1)
  })

  test('AUT-07 without a connection wipes the device too', async () => {
    expectWait()
    // The server learns of it when it can be reached again: at the end of the test.
    const answers = { logOut: done() }
    const screen = await openScreen({ path: '/edits', network: 'offline', answers })
    await logOut()
    await expect.poll(screen.path).toBe('/login')
    expect(await databases()).toEqual(['onecut-device'])
  })

  test('AUT-07 asks first while an upload is not finished, and stays when the answer is no', async () => {
    const screen = await openScreen({ path: '/edits', rows: { uploads: [fakeUploadRow()] } })
    await logOut()
    const question = page.getByRole('alertdialog')
    await expect.element(question).toBeVisible()
    await expect.element(question.getByText(/^beach\.mp4 /)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    expect(screen.path()).toBe('/edits')
  })

  test('AUT-07 asks first also where the device was too busy to read its uploads before', async () => {
    const screen = await openScreen({
      path: '/edits',
      rows: { uploads: [fakeUploadRow()] },
      heldTables: ['uploads'],
    })
    await logOut()
    await screen.letRead()
    await expect.element(page.getByRole('alertdialog').getByText(/^beach\.mp4 /)).toBeVisible()
    expect(screen.path()).toBe('/edits')
  })
})

describe('connection, versions and messages', () => {
  test.each([
    [
      'of three lines',
      'Did you mean to upload a longer video? Onecut works best with full scene videos.',
      undefined,
    ],
    ['with a button', 'my outro.mp4 was deleted.', { label: 'Undo', onPress: () => undefined }],
  ])(
    'APP-15 on a phone a message %s leaves the heading of the page free',
    async (_what, text, action) => {
      await onPhone()
      const screen = await openScreen({ path: '/media-assets' })
      const heading = page.getByRole('heading', { level: 1 })
      await expect.element(heading).toBeVisible()
      screen.toasts.show('success', text, action)
      const message = page.getByText(text)
      await expect.element(message).toBeVisible()
      const card = message.element().closest('[data-kind]')
      await expect
        .poll(() => card?.getBoundingClientRect().bottom, { timeout: 5000 })
        .toBeLessThanOrEqual(heading.element().getBoundingClientRect().top)
    },
  )

  test('APP-15 a new version is offered, and can be put off', async () => {
    const screen = await openScreen({ path: '/edits' })
    await expect.element(account).toBeVisible()
    screen.update.events.onWaiting()
    await expect.element(page.getByText('A new version of Onecut is ready.')).toBeVisible()
    await page.getByRole('button', { name: 'Later' }).click()
    await expect
      .element(page.getByText('A new version of Onecut is ready.'))
      .not.toBeInTheDocument()
  })

  test('MIS-01 says that the server cannot be reached, and since when what is shown is known', async () => {
    const screen = await openScreen({ path: '/edits', network: 'server-away' })
    await screen.letTimePassUntil(page.getByText(/^Offline\. .* as of 10:00 AM$/))
    await expect.element(page.getByText(/^Offline\./)).toBeVisible()
  })
})
