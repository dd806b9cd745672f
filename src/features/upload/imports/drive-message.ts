import * as v from 'valibot'

const message = v.object({
  drivePicker: v.union([
    v.picklist(['ready', 'unloaded', 'canceled']),
    v.object({ refusal: v.pipe(v.string(), v.maxLength(1024)) }),
    v.object({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(512)) }),
  ]),
})

/** What the picker's document says; null for what other code of this origin may post. */
export function driveMessage(data: unknown): v.InferOutput<typeof message>['drivePicker'] | null {
  const said = v.safeParse(message, data)
  return said.success ? said.output.drivePicker : null
}
