import { RENDER_ROOM_BYTES } from '#server/budgets.ts'
import type { Ctx } from '#server/context.ts'
import { queueAfterLease, takeLease } from '#server/operations/core/lease.ts'
import { renderSegment } from '#server/operations/processing/rendering/in-segments.ts'
import { renderLeased } from '#server/operations/processing/rendering/render.ts'
import type { SlotTask } from '#server/operations/processing/slots/choose.ts'
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
      read: async (known) =>
        await readSlotWork(ctx, { kind: 'edits', ...known, copied: ctx.copies.held() }),
      take: async (task) => await takeLease(ctx, leasedOf(task)),
      run: async ({ id, isSegment = false }, lease, stop) =>
        isSegment
          ? await renderSegment(ctx, { segmentId: id, lease, stop })
          : await renderLeased(ctx, { taskId: id, lease, stop }),
      mayBegin: async () =>
        ((await ctx.store.roomForEdits()) ?? Infinity) >= RENDER_ROOM_BYTES &&
        !(await ctx.store.isAway()),
      async lookAgain(tasks) {
        for (const task of tasks)
          await queueAfterLease(ctx, leasedOf(task), 'render-task', { taskId: task.id })
      },
    },
    { longSlots },
  )
}

function leasedOf({ id, isSegment = false }: SlotTask): Parameters<typeof takeLease>[1] {
  return isSegment ? { segmentId: id } : { taskId: id }
}

/** The slots of this process for checks of uploads. */
export function createCheckSlots(ctx: Ctx, { longSlots }: { readonly longSlots: number }): Slots {
  return createSlots(
    {
      read: async (known) => await readSlotWork(ctx, { kind: 'checks', ...known }),
      take: async ({ id }) => await takeLease(ctx, { uploadRequestId: id }),
      run: async ({ id: uploadRequestId }, lease, stop, mayBecomeLong) => {
        const signal = AbortSignal.any([stop, lease.lost])
        await validateUpload(ctx, { uploadRequestId, signal, mayGoOn: mayBecomeLong })
      },
      mayBegin: async () => !(await ctx.store.isAway()),
      async lookAgain(tasks) {
        for (const { id: uploadRequestId } of tasks) {
          const message = { uploadRequestId }
          await queueAfterLease(ctx, message, 'validate-upload', message)
        }
      },
    },
    { longSlots },
  )
}
