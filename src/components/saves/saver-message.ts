import * as v from 'valibot'

const message = v.object({
  dropboxSaver: v.union([
    v.picklist(['ready', 'unloaded', 'canceled', 'saved']),
    v.object({ progress: v.pipe(v.number(), v.minValue(0), v.maxValue(1)) }),
    v.object({ error: v.string() }),
    v.object({ refusal: v.string() }),
  ]),
})

type SaverMessage = v.InferOutput<typeof message>['dropboxSaver']

/** What the saver's document says, or null for what other code of this origin may post. */
export function saverMessage(data: unknown): SaverMessage | null {
  const said = v.safeParse(message, data)
  return said.success ? said.output.dropboxSaver : null
}
