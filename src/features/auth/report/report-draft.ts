import * as v from 'valibot'
import type { ReportWords } from './send-report.ts'

const KEY = 'onecut-report'

const reportWords = v.object({
  video: v.string(),
  relation: v.picklist(['depicted', 'rights-holder', 'other']),
  reason: v.string(),
  signature: v.string(),
  contact: v.string(),
}) satisfies v.GenericSchema<unknown, ReportWords>

/**
 * Keeps what was typed for as long as this tab lives, so that a reload takes no words away. Not
 * longer: another person at this device must not find them. A browser without room for it keeps
 * nothing.
 */
export function keepReportDraft(storage: Storage, words: ReportWords): void {
  try {
    storage.setItem(KEY, JSON.stringify(words))
  } catch {
    // What is typed stays in the form.
  }
}

/** What this tab kept; null when nothing can be used. */
export function readReportDraft(storage: Storage): ReportWords | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), reportWords), storage.getItem(KEY))
  return parsed.success ? parsed.output : null
}

/** Forgets it once the report is sent. */
export function forgetReportDraft(storage: Storage): void {
  storage.removeItem(KEY)
}
