// Checks a log with code that shares nothing with the project's own: Go's golang.org/x/mod, which the Go checksum database
// and its clients use.
//
//	check-log <folder> <verifier key> <proofs.json>
//
// The folder has the log as it is served; the proofs are those that the project's own code made from it. The program hashes
// every entry into a tree with Go's code, which must have the signed root. Then it makes proofs from the tiles with Go's code
// and checks them, and checks the project's proofs.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8
const width = 1 << height

type proofs struct {
	Inclusion []struct {
		Index int64
		Path  []tlog.Hash
	}
	Consistency []struct {
		From int64
		Path []tlog.Hash
	}
}

func main() {
	if err := check(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(folder, key, proofFile string) error {
	tree, err := openCheckpoint(folder, key)
	if err != nil {
		return err
	}
	stored, err := hashEntries(folder, tree.N)
	if err != nil {
		return err
	}
	own := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			hashes[i] = stored[index]
		}
		return hashes, nil
	})
	root, err := tlog.TreeHash(tree.N, own)
	if err != nil {
		return err
	}
	if root != tree.Hash {
		return fmt.Errorf("the entries hash to %v, the checkpoint says %v", root, tree.Hash)
	}
	made, err := proveFromTiles(folder, tree, own)
	if err != nil {
		return err
	}
	given, err := checkGiven(proofFile, tree, own, stored)
	if err != nil {
		return err
	}
	fmt.Printf("%d entries, %d proofs made, %d proofs checked\n", tree.N, made, given)
	return nil
}

func openCheckpoint(folder, key string) (tlog.Tree, error) {
	message, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return tlog.Tree{}, err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(message, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, errors.New("the checkpoint has not the three lines of this origin")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// hashEntries reads all bundles and returns the hashes of the tree over their entries, numbered as in tlog.
func hashEntries(folder string, size int64) ([]tlog.Hash, error) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			hashes[i] = stored[index]
		}
		return hashes, nil
	})
	for n := int64(0); n < size; {
		count := size - n
		if count > width {
			count = width
		}
		bundle, err := readFile(folder, "tile/entries/", tlog.Tile{H: height, L: 0, N: n / width, W: int(count)})
		if err != nil {
			return nil, err
		}
		for ; count > 0; count-- {
			if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
				return nil, fmt.Errorf("the bundle of entry %d is cut short", n)
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			hashes, err := tlog.StoredHashes(n, bundle[2:end], reader)
			if err != nil {
				return nil, err
			}
			stored = append(stored, hashes...)
			bundle = bundle[end:]
			n++
		}
		if len(bundle) > 0 {
			return nil, fmt.Errorf("the bundle before entry %d goes on", n)
		}
	}
	return stored, nil
}

// proveFromTiles makes proofs from the served tiles with Go's code, which authenticates the tiles on the way, and checks them.
// It makes enough proofs to read every tile.
func proveFromTiles(folder string, tree tlog.Tree, own tlog.HashReader) (int, error) {
	tiles := tlog.TileHashReader(tree, &folderTiles{folder})
	made := 0
	for index := int64(0); index < tree.N; index += width - 5 {
		hashes, err := own.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
		if err != nil {
			return made, err
		}
		proof, err := tlog.ProveRecord(tree.N, index, tiles)
		if err != nil {
			return made, err
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, hashes[0]); err != nil {
			return made, fmt.Errorf("entry %d: %w", index, err)
		}
		made++
	}
	for from := int64(1); from <= tree.N; from += 1009 {
		old, err := tlog.TreeHash(from, own)
		if err != nil {
			return made, err
		}
		proof, err := tlog.ProveTree(tree.N, from, tiles)
		if err != nil {
			return made, err
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, from, old); err != nil {
			return made, fmt.Errorf("growth from %d: %w", from, err)
		}
		made++
	}
	return made, nil
}

func checkGiven(file string, tree tlog.Tree, own tlog.HashReader, stored []tlog.Hash) (int, error) {
	bytes, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var given proofs
	if err := json.Unmarshal(bytes, &given); err != nil {
		return 0, err
	}
	for _, each := range given.Inclusion {
		leaf := stored[tlog.StoredHashIndex(0, each.Index)]
		if err := tlog.CheckRecord(each.Path, tree.N, tree.Hash, each.Index, leaf); err != nil {
			return 0, fmt.Errorf("the given proof of entry %d: %w", each.Index, err)
		}
	}
	for _, each := range given.Consistency {
		old, err := tlog.TreeHash(each.From, own)
		if err != nil {
			return 0, err
		}
		if err := tlog.CheckTree(each.Path, tree.N, tree.Hash, each.From, old); err != nil {
			return 0, fmt.Errorf("the given proof of growth from %d: %w", each.From, err)
		}
	}
	return len(given.Inclusion) + len(given.Consistency), nil
}

// folderTiles reads tiles by the names of c2sp.org/tlog-tiles, which lack the height that is in Go's names.
type folderTiles struct{ folder string }

func (r *folderTiles) Height() int { return height }

func (r *folderTiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (r *folderTiles) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		bytes, err := readFile(r.folder, fmt.Sprintf("tile/%d/", tile.L), tile)
		if err != nil {
			return nil, err
		}
		data[i] = bytes
	}
	return data, nil
}

func readFile(folder, prefix string, tile tlog.Tile) ([]byte, error) {
	name := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/%d/", tile.H, tile.L))
	return os.ReadFile(filepath.Join(folder, prefix+name))
}
