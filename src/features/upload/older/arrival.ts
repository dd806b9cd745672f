import * as v from 'valibot'

/** What a screen tells the one that it leads to, in the router's state. */
export interface Arrival {
  readonly kind: 'success' | 'info' | 'warning' | 'error'
  readonly text: string
}

const ARRIVAL = v.object({
  arrival: v.object({
    kind: v.picklist(['success', 'info', 'warning', 'error']),
    text: v.pipe(v.string(), v.nonEmpty(), v.maxLength(300)),
  }),
})

/** The router's state that says it. */
export function arrivalState(arrival: Arrival): { readonly arrival: Arrival } {
  return { arrival }
}

/**
 * The notification that the screen before passed, or null for none. @param state from the browser's
 * history, where older versions may have written
 */
export function readArrival(state: unknown): Arrival | null {
  const read = v.safeParse(ARRIVAL, state)
  return read.success ? read.output.arrival : null
}
