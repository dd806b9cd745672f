import { Hono, type Context as HonoContext } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import type { Deps } from './deps.ts'
import { createApi } from '#server/http/api.ts'
import { createCallBudget, type CallBudget } from '#server/http/call-budget.ts'
import { clientNetwork } from '#server/http/client-address.ts'
import { API_ROOT, loadContract, type Contract } from '#server/http/contract.ts'
import type { OnRefusal } from '#server/http/dispatch.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { createLine, type Line } from '#server/http/line.ts'
import { refuseForeignHosts } from '#server/http/own-host.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { DiskStore } from '#server/object-store/disk.ts'
import { publicOriginOf } from '#server/object-store/s3/place.ts'
import { recordRefusal } from '#server/operations/accounts/security/refusals.ts'
import { createAuthRoutes } from '#server/routes/auth.ts'
import { createDevMailbox } from '#server/routes/dev-mailbox.ts'
import { createDownloadRoutes } from '#server/routes/downloads.ts'
import { createDriveSaveRoutes } from '#server/routes/drive-saves.ts'
import { createExternalAuthRoutes, createGoogleCallback } from '#server/routes/external-auths.ts'
import { createFaceReviewRoutes } from '#server/routes/face-reviews.ts'
import { createFrontPageRoutes } from '#server/routes/front-page.ts'
import { createHumanRoutes } from '#server/routes/human.ts'
import { createLinkedResults } from '#server/routes/linked-results.ts'
import { createMediaAssetRoutes } from '#server/routes/media-assets.ts'
import { createMediaJobRoutes } from '#server/routes/media-jobs.ts'
import { createEditSetRoutes } from '#server/routes/edit-sets.ts'
import { createMusicTrackRoutes } from '#server/routes/music-tracks.ts'
import { createOrderRoutes } from '#server/routes/orders.ts'
import { createPartRoutes } from '#server/routes/parts.ts'
import { createPasskeyRoutes } from '#server/routes/passkeys.ts'
import { dropboxChooser } from '#server/routes/dropbox-chooser.ts'
import { dropboxSaver } from '#server/routes/dropbox-saver.ts'
import { createFrameDoors } from '#server/routes/frame-doors.ts'
import { createFrameHost } from '#server/routes/frame-host.ts'
import { googlePicker } from '#server/routes/google-picker.ts'
import { createPayPortal, payDocument } from '#server/routes/pay-frame.ts'
import { createPaymentWebhooks } from '#server/routes/payment-webhooks.ts'
import { createPaymentRoutes } from '#server/routes/payments.ts'
import { createPresetRoutes } from '#server/routes/presets.ts'
import { createPushRoutes } from '#server/routes/pushes.ts'
import { createReferralRoutes } from '#server/routes/referrals.ts'
import { createIdentify } from '#server/routes/session-cookies.ts'
import { createReceiptRoutes } from '#server/routes/receipts.ts'
import { createSecurityTxt } from '#server/routes/security-txt.ts'
import { createShareTarget } from '#server/routes/share-target.ts'
import { createStaticRoutes } from '#server/routes/static.ts'
import { createReportRoutes } from '#server/routes/reports.ts'
import { createStorageRoutes } from '#server/routes/storage.ts'
import { createSubscriptionRoutes } from '#server/routes/subscriptions.ts'
import { createSystemRoutes } from '#server/routes/system.ts'
import { createUnsubscribe } from '#server/routes/unsubscribe.ts'
import { createSampleRoutes } from '#server/routes/samples.ts'
import { createUploadSoundRoutes } from '#server/routes/upload-sounds.ts'
import { createUploadRoutes } from '#server/routes/uploads.ts'
import { createUserRoutes } from '#server/routes/users.ts'
import { createWalletRoutes } from '#server/routes/wallets.ts'

/** The whole HTTP side; does not listen. `handlers` names the operations that are built. */
interface App {
  readonly hono: Hono<{ Bindings: HttpBindings }>
  readonly contract: Contract
  readonly handlers: Partial<Handlers>
}

/** Every route file has its line here; operations without a handler answer 501. */
export function createHandlers(deps: Deps): Partial<Handlers> {
  return {
    ...createAuthRoutes(deps),
    ...createDownloadRoutes(deps),
    ...createDriveSaveRoutes(deps),
    ...createExternalAuthRoutes(deps),
    ...createFaceReviewRoutes(deps),
    ...createHumanRoutes(deps),
    ...createMediaAssetRoutes(deps),
    ...createMediaJobRoutes(deps),
    ...createEditSetRoutes(deps),
    ...createMusicTrackRoutes(deps),
    ...createOrderRoutes(deps),
    ...createPasskeyRoutes(deps),
    ...createPaymentRoutes(deps),
    ...createPresetRoutes(deps),
    ...createPushRoutes(deps),
    ...createReceiptRoutes(deps),
    ...createReferralRoutes(deps),
    ...createReportRoutes(deps),
    ...createStorageRoutes(deps),
    ...createSubscriptionRoutes(deps),
    ...createSystemRoutes(deps),
    ...createUploadRoutes(deps),
    ...createUploadSoundRoutes(deps),
    ...createSampleRoutes(deps),
    ...createUserRoutes(deps),
    ...createWalletRoutes(deps),
  }
}

/**
 * Builds the app: parts first (raw bodies), then pages of the server, then the contract, then the
 * built page.
 */
export async function buildApp(
  deps: Deps,
  { diskStore, isStopping }: { diskStore: DiskStore | null; isStopping: () => boolean },
): Promise<App> {
  const contract = await loadContract()
  const handlers = createHandlers(deps)
  const budget = createCallBudget(deps.clock)
  const line = createLine(budget)
  const hono = new Hono<{ Bindings: HttpBindings }>()
  const common = securityHeaders({
    publicOrigin: deps.settings.publicOrigin,
    storeOrigin: deps.settings.s3 === null ? null : publicOriginOf(deps.settings.s3),
    usesRecaptcha: deps.human.provider === 'recaptcha',
    frameOrigin: deps.settings.frameOrigin,
    walletOrigins: deps.payments.walletOrigins,
  })
  hono.use(refuseForeignHosts(deps, common))
  const documents = [payDocument, dropboxChooser, dropboxSaver, googlePicker].map((of) => of(deps))
  hono.use(createFrameHost(deps, documents, common))
  // Answers on the raw socket, so what follows must not touch its answer.
  if (diskStore !== null) {
    const partServer = { store: diskStore, log: deps.log, isStopping }
    hono.route('/', createPartRoutes(partServer, waitWithForged(deps, budget, line)))
  }
  hono.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(common))
      if (!c.res.headers.has(name)) c.header(name, value)
  })
  hono.route('/', createDevMailbox(deps))
  hono.route('/', createFrameDoors(deps, documents))
  hono.route('/', createPayPortal(deps))
  hono.route('/', createGoogleCallback(deps))
  hono.route('/', createLinkedResults(deps))
  hono.route('/', createPaymentWebhooks(deps))
  hono.route('/', createUnsubscribe(deps))
  hono.route('/', createSecurityTxt(deps))
  hono.route('/', createShareTarget())
  const onRefusal: OnRefusal = async ({ context, ...call }) => {
    const { user, clientNetwork: client } = context
    await recordRefusal(deps, { ...call, userId: user?.id ?? null, client })
  }
  const identify = createIdentify(deps)
  hono.all(
    `${API_ROOT}/*`,
    createApi({ deps, contract, handlers, identify, budget, line, onRefusal }),
  )
  hono.route('/', createFrontPageRoutes(deps))
  hono.route('/', createStaticRoutes({ publicOrigin: deps.settings.publicOrigin }))
  return { hono, contract, handlers }
}

/** How a part with an address that was never signed here waits: it counts as a stranger's call. */
function waitWithForged(deps: Deps, budget: CallBudget, line: Line) {
  return async (c: HonoContext, isGone: () => boolean): Promise<() => void> => {
    const network = clientNetwork(c, deps.settings.trustedProxies)
    const leave = await line.ofStranger({ network, isGone })
    try {
      budget.ofStranger(network)
    } catch {
      // It is refused anyway, and waits behind those that ask less.
    }
    return leave
  }
}
