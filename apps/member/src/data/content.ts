import type { contentAgreement, contentPrivacy, helpDetail, helpList, Output } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { currentLanguage } from "../shared/i18n.ts";
import { keys } from "./queries.ts";
import { ask } from "./transport.ts";

export type WrittenText = Output<typeof contentAgreement>;
export type HelpArticle = Output<typeof helpList>[number];

/** Texts change only with a release. Each language is cached on its own. */
const KEPT = { staleTime: 60 * 60_000 };

/** The user agreement in the current language. */
export function useAgreement(): UseQueryResult<WrittenText> {
  return useQuery({
    queryKey: keys.text("agreement", currentLanguage().code),
    queryFn: () => ask<typeof contentAgreement>("content/agreement", {}),
    ...KEPT,
  });
}

/** The privacy policy in the current language. */
export function usePrivacy(): UseQueryResult<WrittenText> {
  return useQuery({
    queryKey: keys.text("privacy", currentLanguage().code),
    queryFn: () => ask<typeof contentPrivacy>("content/privacy", {}),
    ...KEPT,
  });
}

/** All help articles in the current language, with their searchable words. */
export function useHelpList(): UseQueryResult<HelpArticle[]> {
  return useQuery({
    queryKey: keys.text("help", currentLanguage().code),
    queryFn: () => ask<typeof helpList>("help/list", {}),
    ...KEPT,
  });
}

/** One help article in the current language. */
export function useHelpArticle(helpId: string): UseQueryResult<WrittenText> {
  return useQuery({
    queryKey: keys.text(`help/${helpId}`, currentLanguage().code),
    queryFn: () => ask<typeof helpDetail>("help/detail", { helpId }),
    ...KEPT,
  });
}
