import { RENDER_ROOM_BYTES } from '#server/budgets.ts'
import type { Ctx } from '#server/context.ts'
import { queueAfterLease, takeLease } from '#server/operations/core/lease.ts'
import { renderLeased } from '#server/operations/processing/rendering/render.ts'
import { createSlots, type Slots } from '#server/operations/processing/slots/slots.ts'
import { readSlotWork } from '#server/operations/processing/slots/waiting.ts'
import { validateUpload } from './upload-arrived.ts'

/**
 * The slots of this process for edits. Edits wait while the disk has no room for their files, and
 * while the store is away, so that an outage costs none of them an attempt.
 */
export function createRenderSlots(ctx: Ctx, { longSlots }: { readonly longSlots: number }): Slots {
  return createSlots(
    {
      read: async (known) => await readSlotWork(ctx, { kind: 'edits', ...known }),
      take: async (taskId) => await takeLease(ctx, { taskId }),
      run: async (taskId, lease, stop) => await renderLeased(ctx, { taskId, lease, stop }),
      mayBegin: async () =>
        ((await ctx.store.roomForEdits()) ?? Infinity) >= RENDER_ROOM_BYTES &&
        !(await ctx.store.isAway()),
      async lookAgain(ids) {
        for (const taskId of ids) await queueAfterLease(ctx, { taskId }, 'render-task', { taskId })
      },
    },
    { longSlots },
  )
}

/** The slots of this process for checks of uploads. */
export function createCheckSlots(ctx: Ctx, { longSlots }: { readonly longSlots: number }): Slots {
  return createSlots(
    {
      read: async (known) => await readSlotWork(ctx, { kind: 'checks', ...known }),
      take: async (uploadRequestId) => await takeLease(ctx, { uploadRequestId }),
      run: async (uploadRequestId, lease, stop, mayBecomeLong) => {
        const signal = AbortSignal.any([stop, lease.lost])
        await validateUpload(ctx, { uploadRequestId, signal, mayGoOn: mayBecomeLong })
      },
      mayBegin: async () => !(await ctx.store.isAway()),
      async lookAgain(ids) {
        for (const uploadRequestId of ids) {
          const message = { uploadRequestId }
          await queueAfterLease(ctx, message, 'validate-upload', message)
        }
      },
    },
    { longSlots },
  )
}
