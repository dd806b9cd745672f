import type { Ctx } from '#server/context.ts'
import { takeLease } from '#server/operations/core/lease.ts'
import { renderLeased } from '#server/operations/processing/rendering/render.ts'

/** Makes an edit now, as a slot of a worker does, unless another process is making it. */
export async function renderTask(
  ctx: Ctx,
  { taskId, stop }: { readonly taskId: string; readonly stop: AbortSignal },
): Promise<void> {
  const lease = await takeLease(ctx, { taskId })
  if (lease === null) return
  try {
    await renderLeased(ctx, { taskId, lease, stop })
  } finally {
    await lease.release()
  }
}
