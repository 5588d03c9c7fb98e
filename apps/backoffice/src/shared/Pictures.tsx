import { Button, FailedState } from "@fairtick/ui";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { PICTURE } from "../data/queries.ts";
import { WORDS } from "./words.ts";

export interface PictureSource {
  /** File id. */
  readonly id: string;
  readonly label: string;
  readonly read: () => Promise<Blob>;
}

/** Shows pictures side by side; pressing one opens them full size. Each is fetched once while the case is open. */
export function Pictures({ pictures }: { readonly pictures: readonly PictureSource[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <div className="pictures">
        {pictures.map((picture) => (
          <figure key={picture.id}>
            <button type="button" aria-label={`Enlarge ${picture.label}`} onClick={() => dialog.current?.showModal()}>
              <Picture picture={picture} />
            </button>
            <figcaption className="note soft">{picture.label}</figcaption>
          </figure>
        ))}
      </div>
      <dialog ref={dialog} className="pictures-large" aria-label="Pictures">
        <div className="pictures">
          {pictures.map((picture) => (
            <figure key={picture.id}>
              <Picture picture={picture} />
              <figcaption className="note soft">{picture.label}</figcaption>
            </figure>
          ))}
        </div>
        <Button lowkey onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </dialog>
    </>
  );
}

function Picture({ picture }: { readonly picture: PictureSource }) {
  const { data, error, refetch } = useQuery({
    queryKey: [PICTURE, picture.id],
    queryFn: picture.read,
    staleTime: Number.POSITIVE_INFINITY,
    // Dropped with the case, because each new view must be recorded in the audit trail.
    gcTime: 0,
    retry: false,
  });
  const show = useCallback(
    (image: HTMLImageElement) => {
      if (data === undefined) return undefined;
      const address = URL.createObjectURL(data);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [data],
  );
  if (error) return <FailedState title={error.message} retryLabel={WORDS.retry} onRetry={() => void refetch()} />;
  return data === undefined ? <span className="soft">{WORDS.reading}</span> : <img ref={show} alt={picture.label} />;
}
