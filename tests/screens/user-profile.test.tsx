import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { FACTS } from '#src/local/db/facts.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { CREATOR, meOf } from './harness/creator.ts'
import {
  done,
  pending,
  refused,
  unreachable,
  type Answers,
  type Body,
} from './harness/fake-server.ts'
import { NOW, openScreen, type Rows } from './harness/open-screen.tsx'

type Session = components['schemas']['Session']
type Passkey = components['schemas']['Passkey']

const PATH = '/user-profile'
const session = (number: number, facts: Partial<Session> = {}): Session => ({
  _id: idOf(number),
  deviceName: 'Firefox on Linux',
  isCurrent: false,
  createdAt: '2026-11-18T10:00:00.000Z',
  lastSeenAt: '2026-11-19T10:00:00.000Z',
  ...facts,
})
const mine = session(1, { deviceName: 'Chrome on Windows', isCurrent: true })
const answers = (...sessions: readonly Session[]): Answers => ({
  listSessions: { sessions: [...sessions] },
})
const known = (...sessions: readonly Session[]): Rows => ({
  facts: [{ key: FACTS.sessions, value: sessions, pulledAtEpochMs: NOW }],
})
const button = (name: string | RegExp) => page.getByRole('button', { name })
const device = (name: string) => page.getByRole('listitem').filter({ hasText: name })

describe('who and what', () => {
  test('LIF-01 the menu leads to address, profession and tokens', async () => {
    const screen = await openScreen({
      path: '/edits',
      rows: { wallets: [wallets.toRow(fakeWallet({ spendableCoinAmount: 740 }), NOW)] },
      answers: {
        ...answers(mine),
        listWallets: { wallets: [fakeWallet({ spendableCoinAmount: 740 })] },
      },
    })
    await button('Account').click()
    await page.getByRole('menuitem', { name: 'My Account' }).click()
    await expect.poll(screen.path).toBe(PATH)
    await expect.element(page.getByRole('heading', { name: 'Your Account' })).toBeVisible()
    await expect.element(page.getByRole('definition').first()).toHaveTextContent(CREATOR.email)
    await expect.element(page.getByLabelText('I am a')).toHaveValue('Creator/Model')
    await expect.element(page.getByText('740 tokens to spend')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Your wallets' }))
      .toHaveAttribute('href', '/wallets')
    await expect
      .element(page.getByRole('link', { name: 'Download my data' }))
      .toHaveAttribute('href', '/editors/api/v1/users/me/export')
  })

  test('a choice has the ground of a field to type in, not of one that cannot change', async () => {
    await openScreen({ path: PATH, answers: answers(mine) })
    const groundOf = (label: string) =>
      getComputedStyle(page.getByLabelText(label).element()).backgroundColor
    await expect.element(page.getByLabelText('Name of the passkey')).toBeVisible()
    await expect.element(page.getByLabelText('I am a')).toBeVisible()
    expect(groundOf('I am a')).toBe(groundOf('Name of the passkey'))
  })

  test('LIF-01 the profession can change, and stays as it was when the server refuses', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: { ...answers(mine), updateProfile: refused(422, 'request/invalid', 'Not today.') },
    })
    const field = page.getByLabelText('I am a')
    await field.selectOptions('Video Editor')
    await expect.element(page.getByText('Not today.')).toBeVisible()
    await expect.element(field).toHaveValue('Creator/Model')
    screen.server.answer({ updateProfile: { userProfile: { profession: 'Video Editor' } } })
    await field.selectOptions('Video Editor')
    await expect.element(page.getByText('Your profession is saved.')).toBeVisible()
    await expect.element(field).toHaveValue('Video Editor')
  })
})

describe('mails', () => {
  test('LIF-01 mails of a kind are ended and begun again, and stay as they were when the server refuses', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: { ...answers(mine), updateProfile: refused(422, 'request/invalid', 'Not today.') },
    })
    const box = page.getByRole('checkbox', { name: 'When the edits of an order are ready' })
    const words = page.getByText('When the edits of an order are ready')
    await expect.element(box).toBeChecked()
    await words.click()
    await expect.element(page.getByText('Not today.')).toBeVisible()
    await expect.element(box).toBeChecked()
    // A pull says what is saved, and what was asked for before is older.
    const answerWith = async (mailsOff: readonly 'edits-ready'[]) => {
      const userProfile = { profession: 'Creator/Model' as const, mailsOff: [...mailsOff] }
      screen.server.answer({
        updateProfile: { userProfile },
        getCurrentUser: { ...meOf(CREATOR), userProfile },
      })
      await screen.clock.advance(1)
    }
    await answerWith(['edits-ready'])
    await words.click()
    await expect.element(box).not.toBeChecked()
    await expect.element(page.getByText('Not today.')).not.toBeInTheDocument()
    // It takes no press while it is saved.
    await expect.element(box).toBeEnabled()
    await answerWith([])
    await words.click()
    await expect.element(box).toBeChecked()
    // The box shows the choice before the server has it.
    await expect
      .poll(() => screen.server.calls('updateProfile').map(({ body }) => body))
      .toEqual(
        [['edits-ready'], ['edits-ready'], []].map((mailsOff) => ({ userProfile: { mailsOff } })),
      )
  })

  test('WAY-02 mails name a video only when the person wants it', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: {
        ...answers(mine),
        updateProfile: {
          userProfile: { profession: 'Creator/Model', mailsOff: [], mailsNameVideos: true },
        },
      },
    })
    const box = page.getByRole('checkbox', { name: 'Name my videos in these mails' })
    await expect.element(box).not.toBeChecked()
    await screen.clock.advance(1)
    await page.getByText('Name my videos in these mails').click()
    await expect.element(box).toBeChecked()
    await expect
      .poll(() => screen.server.calls('updateProfile').map(({ body }) => body))
      .toEqual([{ userProfile: { mailsNameVideos: true } }])
  })

  test('LIF-01 a choice of mails stays chosen while it is stored, also when a pull brings the old one', async () => {
    const ended: Body<'updateProfile'> = {
      userProfile: { profession: 'Creator/Model', mailsOff: ['edits-ready'] },
    }
    const answer = Promise.withResolvers<typeof ended>()
    const screen = await openScreen({
      path: PATH,
      answers: {
        ...answers(mine),
        updateProfile: () => answer.promise,
      },
    })
    const box = page.getByRole('checkbox', { name: 'When the edits of an order are ready' })
    await expect.element(box).toBeChecked()
    const label = box.element().closest('label')
    if (label === null) throw new Error('the box has no label')
    const shown: boolean[] = []
    const observer = new MutationObserver(() => shown.push(label.hasAttribute('data-selected')))
    observer.observe(label, { attributes: true, attributeFilter: ['data-selected'] })
    onTestFinished(() => observer.disconnect())
    await page.getByText('When the edits of an order are ready').click()
    // A disabled box would lose the focus.
    await expect.element(box).toHaveFocus()
    await expect.element(box).toBeEnabled()
    const old = await screen.db.facts.get(FACTS.profile)
    if (old === undefined) throw new Error('the profile is not known')
    await screen.db.facts.put({ ...old })
    answer.resolve(ended)
    await expect.poll(async () => await screen.db.facts.get(FACTS.profile)).not.toEqual(old)
    await expect.element(box).not.toBeChecked()
    expect(shown).toEqual([false])
  })
})

test('LIF-01 a press while a choice is saved builds on it, waits for its turn, and the last one holds', async () => {
  const saved: unknown[] = []
  const first = Promise.withResolvers<null>()
  await openScreen({
    path: PATH,
    answers: {
      ...answers(mine),
      updateProfile: async ({ body }) => {
        saved.push(body)
        await first.promise
        return {
          userProfile: {
            profession: 'Creator/Model',
            mailsOff: saved.length === 1 ? ['edits-ready'] : ['edits-ready', 'trial-ends'],
          },
        }
      },
    },
  })
  await page.getByText('When the edits of an order are ready').click()
  await page.getByText('The day before my free trial ends').click()
  await expect.poll(() => saved).toHaveLength(1)
  first.resolve(null)
  await expect
    .poll(() => saved)
    .toEqual([
      { userProfile: { mailsOff: ['edits-ready'] } },
      { userProfile: { mailsOff: ['edits-ready', 'trial-ends'] } },
    ])
  for (const name of ['When the edits of an order are ready', 'The day before my free trial ends'])
    await expect.element(page.getByRole('checkbox', { name })).not.toBeChecked()
})

describe('devices', () => {
  test('LIF-01 shows the devices that this one knows of before the server answers', async () => {
    await openScreen({
      path: PATH,
      rows: known(mine, session(2), session(3, { deviceName: null })),
      answers: { listSessions: pending },
    })
    await expect.element(device('Chrome on Windows').getByText('This device')).toBeVisible()
    await expect
      .element(device('Firefox on Linux').getByText(/Used about 2 days ago/))
      .toBeVisible()
    await expect.element(device('Unknown device')).toBeVisible()
    expect(button(/^Sign out Chrome/).elements()).toEqual([])
  })

  test('LIF-01 shows no devices while nothing is known of them', async () => {
    await openScreen({ path: PATH, answers: { listSessions: pending } })
    await expect.element(page.getByRole('status', { name: 'Loading your devices' })).toBeVisible()
    expect(page.getByText('This device', { exact: true }).elements()).toEqual([])
  })

  test('LIF-01 says why the devices are missing, and asks again', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: { listSessions: refused(422, 'request/invalid', 'Not today.') },
    })
    await expect.element(page.getByText('Unable to fetch your devices')).toBeVisible()
    screen.server.answer(answers(mine))
    await button('Try Again').click()
    await expect.element(device('Chrome on Windows')).toBeVisible()
    await expect.element(page.getByText('Unable to fetch your devices')).not.toBeInTheDocument()
  })

  test('LIF-01 signs one device out', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: { ...answers(mine, session(2)), endSession: done() },
    })
    await expect.element(device('Firefox on Linux')).toBeVisible()
    screen.server.answer(answers(mine))
    await button(/^Sign out Firefox on Linux/).click()
    await expect.element(page.getByText('The device is signed out.')).toBeVisible()
    await expect.element(device('Firefox on Linux')).not.toBeInTheDocument()
    expect(screen.server.calls('endSession').map(({ params }) => params['id'])).toEqual([idOf(2)])
  })

  test('LIF-01 signs all others out, says when that did not work, and takes one that left for done', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: {
        ...answers(mine, session(2)),
        endOtherSessions: refused(403, 'auth/xsrf', 'Please reload.'),
        endSession: refused(404, 'auth/session-not-found', 'Gone.'),
      },
    })
    await button('Sign out all other devices').click()
    await expect.element(page.getByText('The device could not be signed out')).toBeVisible()
    await button(/^Sign out Firefox on Linux/).click()
    await expect.element(page.getByText('The device is signed out.')).toBeVisible()
    screen.server.answer({ ...answers(mine), endOtherSessions: done() })
    await button('Sign out all other devices').click()
    await expect.element(page.getByText('All other devices are signed out.')).toBeVisible()
    await expect.element(button('Sign out all other devices')).not.toBeInTheDocument()
  })

  test('LIF-01 offline says what needs a connection', async () => {
    await openScreen({ path: PATH, rows: known(mine, session(2)), network: 'offline' })
    await expect
      .element(page.getByText('You can sign devices out when you are online.'))
      .toBeVisible()
    await expect.element(button('Sign out all other devices')).toBeDisabled()
    await expect.element(page.getByText('You can download it when you are online.')).toBeVisible()
    await expect.element(page.getByText('You can delete it when you are online.')).toBeVisible()
    await expect.element(page.getByLabelText('I am a')).toBeDisabled()
  })
})

describe('deleting', () => {
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' })
  const field = question.getByLabelText('Type the email address of your account')
  const confirm = question.getByRole('button', { name: 'Delete my account' })

  test('LIF-01 asks for the address, deletes, wipes this device and leads to the log-in', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: {
        ...answers(mine),
        deleteAccount: { deletion: { deletesAt: '2026-12-05T10:00:00.000Z' } },
        logOut: refused(401, 'auth/signed-out'),
      },
    })
    await button('Delete my account').click()
    await expect
      .element(question.getByText(/For 14 days, logging in keeps the account/))
      .toBeVisible()
    await field.fill(` ${CREATOR.email}`)
    await confirm.click()
    await expect.poll(screen.path).toBe('/login')
    await expect
      .element(page.getByText(/Your account will be deleted on December 5, 2026/))
      .toBeVisible()
    expect(screen.server.calls('deleteAccount').map(({ body }) => body)).toEqual([
      { email: CREATOR.email },
    ])
    const left = await indexedDB.databases()
    expect(left.filter(({ name }) => name?.includes(CREATOR.userId))).toEqual([])
  })

  test('LIF-01 another address, or none, is refused beside the field, and nothing is lost', async () => {
    const screen = await openScreen({ path: PATH, answers: answers(mine) })
    await button('Delete my account').click()
    for (const typed of ['', 'other@example.com']) {
      await field.fill(typed)
      await confirm.click()
      await expect
        .element(question.getByText('This is not the address of your account'))
        .toBeVisible()
      await expect.element(field).toHaveValue(typed)
    }
    await question.getByRole('button', { name: 'Keep my account' }).click()
    await expect.element(question).not.toBeInTheDocument()
    expect(screen.path()).toBe(PATH)
    expect(screen.server.calls('deleteAccount')).toEqual([])
  })

  test.each([
    ['lost', unreachable, /We do not know yet whether your account will be deleted/],
    [
      'refused',
      refused(503, 'payments/provider-away', 'The payment provider does not answer.'),
      'The payment provider does not answer.',
    ],
  ] as const)('LIF-01 a deletion whose answer is %s promises nothing', async (_, end, words) => {
    const screen = await openScreen({
      path: PATH,
      answers: { ...answers(mine), deleteAccount: end },
    })
    await button('Delete my account').click()
    await field.fill(CREATOR.email)
    await confirm.click()
    await expect.element(question.getByText(words)).toBeVisible()
    expect(screen.path()).toBe(PATH)
  })
})

describe('passkeys', () => {
  const passkey = (number: number, facts: Partial<Passkey> = {}): Passkey => ({
    _id: idOf(number),
    name: 'Chrome on Windows',
    isBackedUp: true,
    createdAt: '2026-11-18T10:00:00.000Z',
    lastUsedAt: null,
    ...facts,
  })
  const key = passkey(1, { name: 'My key', lastUsedAt: '2026-11-19T10:00:00.000Z' })
  const options: components['schemas']['PasskeyCreationOptions'] = {
    rp: { id: 'localhost', name: 'Onecut' },
    user: { id: 'YQ', name: CREATOR.email, displayName: CREATOR.email },
    challenge: 'YQ',
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
    timeout: 600_000,
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }

  test('TRU-05 shows what this device knows before the server answers', async () => {
    await openScreen({
      path: PATH,
      rows: { facts: [{ key: FACTS.passkeys, value: [key], pulledAtEpochMs: NOW - 3_600_000 }] },
      answers: { ...answers(mine), listPasskeys: pending },
    })
    await expect.element(device('My key').getByText(/^Used about 2 days ago, added/)).toBeVisible()
  })

  test('TRU-05 says why the passkeys are missing, and then that there are none', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: { ...answers(mine), listPasskeys: refused(422, 'request/invalid', 'Not today.') },
    })
    await expect.element(page.getByText('Unable to fetch your passkeys')).toBeVisible()
    screen.server.answer({ listPasskeys: { passkeys: [] } })
    await button('Try Again').click()
    await expect.element(page.getByText('You have no passkeys yet.')).toBeVisible()
  })

  test('TRU-05 says when the server or the device makes none, and removes one', async () => {
    const screen = await openScreen({
      path: PATH,
      answers: {
        ...answers(mine),
        listPasskeys: { passkeys: [key] },
        beginAddingPasskey: refused(422, 'passkeys/too-many', 'You have 20 passkeys already.'),
        removePasskey: done(),
      },
    })
    await button('Add a passkey').click()
    await expect.element(page.getByText('You have 20 passkeys already.')).toBeVisible()
    vi.spyOn(navigator.credentials, 'create').mockRejectedValueOnce(
      new DOMException('The person said no.', 'NotAllowedError'),
    )
    screen.server.answer({ beginAddingPasskey: { options } })
    await button('Add a passkey').click()
    await expect
      .element(page.getByText('No passkey was made. Try again when you are ready.'))
      .toBeVisible()
    screen.server.answer({ listPasskeys: { passkeys: [] } })
    await button(/^Remove My key/).click()
    await expect.element(page.getByText('The passkey is removed.')).toBeVisible()
    await expect.element(page.getByText('You have no passkeys yet.')).toBeVisible()
    expect(screen.server.calls('removePasskey').map(({ params }) => params['id'])).toEqual([
      key._id,
    ])
  })
})
