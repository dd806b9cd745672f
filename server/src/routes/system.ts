import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { listPresets } from '#server/operations/presets/list.ts'
import { viewPreset } from '#server/views/preset.ts'

const GIB = 1024 ** 3
const MAX_UPLOAD_BYTES = 50 * GIB
const MAX_CLOUD_UPLOAD_BYTES = 25 * GIB

/** What this server offers; an area that is false here has no screen. */
export function createSystemRoutes(deps: Deps) {
  return {
    getCapabilities: async () => ({
      status: 200,
      body: {
        capabilities: {
          presets: (await listPresets(deps))
            .map(viewPreset)
            .map(({ slug, isOffered }) => ({ slug, isOffered })),
          payments: { isEnabled: true, cardProvider: deps.payments.name, publishableKey: null },
          mail: {
            mode: deps.mailer.mode,
            localMailboxUrl: deps.settings.hasLocalMailbox ? '/dev/mail' : null,
          },
          humanVerification: { provider: deps.human.provider, siteKey: deps.human.siteKey },
          uploads: {
            maxUploadSizeBytes: MAX_UPLOAD_BYTES,
            maxCloudUploadSizeBytes: MAX_CLOUD_UPLOAD_BYTES,
            partSizeBytes: deps.settings.partSizeBytes,
            providers: ['s3-multipart' as const, 's3-singlepart' as const],
          },
          areas: {
            subscriptions: true,
            storedPaymentMethods: false,
            cardCheckout: true,
            referralCodes: false,
            externalAuths: false,
            orderCancel: true,
            orderReceipt: false,
          },
        },
      },
    }),
  } satisfies Partial<Handlers>
}
