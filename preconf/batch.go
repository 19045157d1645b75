package preconf

import "errors"

// ErrBatchName is returned by NameBatch for a name that is taken.
var ErrBatchName = errors.New("there is a batch with this name")

// NameBatch lets clients ask for a batch of transactions by a name of their own: id is the one by which the server
// knows it. Snapshots, worlds and files have the name as they have the transactions. The error is ErrBatchName.
func (t *Timeline) NameBatch(name, id string) error {
	return t.change(func(c *change) error {
		if _, taken := c.batches.Get(name); taken {
			return ErrBatchName
		}
		c.batches = c.batches.Set(name, id)
		return nil
	})
}

// Batch returns the id of the batch with that name, and reports whether there is one.
func (m *Moment) Batch(name string) (id string, known bool) { return m.batches.Get(name) }

// savedBatches returns the ids of batches by their names, nil for none.
func (w *world) savedBatches() map[string]string {
	var saved map[string]string
	for it := w.batches.Iterator(); !it.Done(); {
		name, id, _ := it.Next()
		if saved == nil {
			saved = make(map[string]string, w.batches.Len())
		}
		saved[name] = id
	}
	return saved
}

func restoredBatches(saved map[string]string) batches {
	restored := noBatches
	for name, id := range saved {
		restored = restored.Set(name, id)
	}
	return restored
}
