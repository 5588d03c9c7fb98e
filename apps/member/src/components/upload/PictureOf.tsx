import { FailedState } from "@fairtick/ui";
import { useCallback } from "react";
import { useStoredFile } from "../../data/upload.ts";
import { useText } from "../../shared/i18n.ts";
import "./upload.css";

interface PictureOfProps {
  readonly content: Blob;
  readonly alt: string;
  readonly className?: string;
}

/** Shows bytes as a picture. Their object URL lives as long as the picture is shown. */
export function PictureOf({ content, alt, className }: PictureOfProps) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(content);
      image.src = address;
      return () => {
        URL.revokeObjectURL(address);
      };
    },
    [content],
  );
  return <img className={className} alt={alt} ref={show} />;
}

/** A picture that the member submitted before. */
export function StoredPicture({ fileId, alt }: { readonly fileId: string; readonly alt: string }) {
  const t = useText();
  const query = useStoredFile(fileId);
  if (query.data !== undefined) return <PictureOf className="stored-picture" content={query.data} alt={alt} />;
  if (query.isError) {
    return (
      <FailedState
        title={t("upload.notShown")}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => {
          void query.refetch();
        }}
      />
    );
  }
  return <div className="stored-picture" aria-busy="true" />;
}
