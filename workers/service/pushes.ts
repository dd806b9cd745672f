import { createChannel, openChannelPort } from '#src/local/channel/channel.ts'
import { createWorkerLog } from '#src/local/compose-worker.ts'
import { outsideLook } from '#src/config/outside-look.ts'
import { readAppLock } from '#src/local/db/app-lock.ts'
import { openDeviceDb, readIsPlain, readOwnUserId } from '#src/local/db/device-db.ts'
import { isInSight, parsePush, targetOf, type PushMessage } from '#src/local/push/message.ts'

/** Shows what the server tells this device, and leads to it. */
export function showPushes(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('push', (event) => {
    const message = parsePush(event.data?.text() ?? '')
    if (message !== null) event.waitUntil(show(scope, message))
  })
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(scope, event.notification.data))
  })
}

/**
 * Browsers demand a notification for each push where no page of the app is in sight. Where one is
 * that shows the same, none is needed, and none comes.
 */
async function show(scope: ServiceWorkerGlobalScope, message: PushMessage): Promise<void> {
  const { title, tag, navigate, data } = message.notification
  const { ownUserId, isPlain, isLocked } = await readDevice()
  if (data.userId !== ownUserId) {
    // A sign-out without a network: the server does not know yet, and this person is not to know.
    const subscription = await scope.registration.pushManager.getSubscription()
    await subscription?.unsubscribe()
    return
  }
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (isInSight(message, pages)) return tellPages()
  const { noticeIcon: icon } = outsideLook(isPlain)
  await scope.registration.showNotification(isLocked ? LOCKED_TITLE : title, {
    tag,
    lang: 'en',
    icon,
    badge: icon,
    data: navigate,
  })
  await setBadge(scope.navigator, message.app_badge)
}

/** With an app lock, whether it is open or not: what is shown outlasts the moment. */
const LOCKED_TITLE = 'Something is waiting for you'

/** The page in sight says to the server that it was seen. */
function tellPages(): void {
  const channel = createChannel({ port: openChannelPort(), log: createWorkerLog('service-worker') })
  channel.send({ v: 1, type: 'told-in-sight' })
  channel.close()
}

async function readDevice() {
  const deviceDb = await openDeviceDb()
  try {
    const ownUserId = await readOwnUserId(deviceDb)
    const lock = ownUserId === null ? null : await readAppLock(deviceDb, ownUserId)
    return { ownUserId, isPlain: await readIsPlain(deviceDb), isLocked: lock !== null }
  } finally {
    deviceDb.close()
  }
}

/** Not every browser has badges, and some have them in an installed app only. */
async function setBadge(navigator: WorkerNavigator, count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  await navigator.setAppBadge(count).catch(() => undefined)
}

/**
 * Shows the page of a notification: one that is open there, else a new one. An open page is not led
 * elsewhere, because a file that is being sent may be nowhere but in its memory.
 */
async function open(scope: ServiceWorkerGlobalScope, navigate: unknown): Promise<void> {
  const target = targetOf(navigate, scope.location.origin)
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = pages.find(({ url }) => new URL(url).pathname === target.pathname)
  if (there === undefined) await scope.clients.openWindow(target.href)
  else await there.focus()
}
