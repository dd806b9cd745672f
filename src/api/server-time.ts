import type { Answer } from './send.ts'

/** When the server sent an answer, by its own clock (`Date`); null where a proxy removed it. */
export interface ServerTimed {
  readonly answeredAtEpochMs: number | null
}

/** Adds the server's time to the data of an answer; failures pass unchanged. */
export function withServerTime<T>({ data, ...rest }: Answer<T>): Answer<T & ServerTimed> {
  if (data === undefined) return rest
  const answeredAtEpochMs = Date.parse(rest.response.headers.get('Date') ?? '')
  return {
    ...rest,
    data: {
      ...data,
      answeredAtEpochMs: Number.isNaN(answeredAtEpochMs) ? null : answeredAtEpochMs,
    },
  }
}

/**
 * A time of the server by this device's clock, which may differ by hours; null when it is null or
 * the server's clock is not known.
 * @param askedAtEpochMs this device's time when it asked
 */
export function toDeviceTime(
  at: string | null,
  { answeredAtEpochMs }: ServerTimed,
  askedAtEpochMs: number,
): number | null {
  if (at === null || answeredAtEpochMs === null) return null
  return askedAtEpochMs - Math.max(0, answeredAtEpochMs - Date.parse(at))
}
