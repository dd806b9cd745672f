import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAPABILITIES } from './harness/creator.ts'
import { done, refused, type Answers } from './harness/fake-server.ts'
import { fakePushes, PUSH_ADDRESS } from './harness/fake-pushes.ts'
import { openScreen } from './harness/open-screen.tsx'

const PATH = '/user-profile'
const sends: Answers = {
  getCapabilities: { capabilities: { ...CAPABILITIES, pushKey: 'key-of-the-server' } },
  listSessions: { sessions: [] },
  savePushSubscription: done(),
  endPushSubscription: done(),
  markNoticesSeen: done(),
}
const box = (name: string) => page.getByRole('checkbox', { name })
const HERE = 'Tell me on this device'

describe('on the account page', () => {
  test('PHO-02 a press asks the browser, and the server sends to this device from then on', async () => {
    const pushes = fakePushes()
    const screen = await openScreen({ path: PATH, answers: sends })
    await expect.element(box(HERE)).not.toBeChecked()
    await page.getByText(HERE).click()
    await expect.element(box(HERE)).toBeChecked()
    expect(screen.server.calls('savePushSubscription').map(({ body }) => body)).toEqual([
      PUSH_ADDRESS,
    ])
    await page.getByText(HERE).click()
    await expect.element(box(HERE)).not.toBeChecked()
    expect(screen.server.calls('endPushSubscription')).toHaveLength(1)
    expect(pushes.isSubscribed()).toBe(false)
  })

  test('PHO-02 kinds are chosen for all devices', async () => {
    fakePushes()
    const screen = await openScreen({
      path: PATH,
      answers: {
        ...sends,
        updateProfile: {
          userProfile: { profession: 'Creator/Model', pushesOff: ['upload-waits'] },
        },
      },
    })
    const group = page.getByRole('group', { name: 'On all devices that are told' })
    await group.getByText('When an upload has stopped for a day').click()
    await expect
      .poll(() => screen.server.calls('updateProfile').map(({ body }) => body))
      .toEqual([{ userProfile: { pushesOff: ['upload-waits'] } }])
  })

  test('PHO-02 a push service that does not answer is said after ten seconds, and nothing is on', async () => {
    fakePushes({ isSilent: true })
    const screen = await openScreen({ path: PATH, answers: sends })
    await page.getByText(HERE).click()
    await screen.letTimePassUntil(page.getByText(/does not answer/))
    await expect.element(box(HERE)).not.toBeChecked()
    expect(screen.server.calls('savePushSubscription')).toHaveLength(0)
  })

  test('PHO-02 where the server refuses, the browser is not left subscribed', async () => {
    const pushes = fakePushes()
    await openScreen({
      path: PATH,
      answers: { ...sends, savePushSubscription: refused(422, 'push/not-allowed', 'Not here.') },
    })
    await page.getByText(HERE).click()
    await expect.element(page.getByText('Not here.')).toBeVisible()
    expect(pushes.isSubscribed()).toBe(false)
  })

  test('PHO-07 who refused is told what to do, and is not asked again', async () => {
    fakePushes({ answer: 'denied' })
    const screen = await openScreen({ path: PATH, answers: sends })
    await page.getByText(HERE).click()
    await expect.element(page.getByText(/Allow notifications for this site/).first()).toBeVisible()
    await expect.element(box(HERE)).not.toBeInTheDocument()
    expect(screen.server.calls('savePushSubscription')).toHaveLength(0)
  })

  test('PHO-07 a server that sends none shows nothing of them', async () => {
    fakePushes()
    await openScreen({ path: PATH, answers: { listSessions: { sessions: [] } } })
    await expect.element(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible()
    await expect.element(box(HERE)).not.toBeInTheDocument()
  })
})

describe('in the library', () => {
  test('PHO-02 the library takes the number off the icon, and says that it was seen', async () => {
    const pushes = fakePushes({ permission: 'granted', isSubscribed: true })
    const screen = await openScreen({ path: '/edits', answers: sends })
    await expect.poll(() => screen.server.calls('markNoticesSeen').length).toBe(1)
    expect(pushes.badges).toContain(0)
    expect(pushes.shownCount()).toBe(0)
    // The service worker shows nothing for what is in sight.
    const channel = new BroadcastChannel('onecut')
    channel.postMessage({ v: 1, type: 'told-in-sight' })
    await expect.poll(() => screen.server.calls('markNoticesSeen').length).toBe(2)
    channel.close()
  })
})
