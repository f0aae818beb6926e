// The C interface of the native core: batches of scenarios, and the trajectories of one.

#include <new>

#include "complete.hpp"
#include "replay.hpp"
#include "run.hpp"

namespace {

bool rising(const std::int64_t *begin, std::int64_t number, std::int64_t total) {
    if (begin == nullptr || begin[0] != 0 || begin[number] != total) return false;
    for (std::int64_t k = 0; k < number; ++k)
        if (begin[k] > begin[k + 1]) return false;
    return true;
}

// Whether the arrays have the sizes that they are said to have.
bool fits(const dtmodel_batch &in) {
    if (in.scenarios < 0 || in.queues < 0 || in.pieces < 0 || in.samples < 0 || in.lengths < 0 || in.numbers < 0 || in.max_events < 0)
        return false;
    if (!rising(in.queue_begin, in.scenarios, in.queues) || !rising(in.piece_begin, in.queues, in.pieces)) return false;
    if (!rising(in.sample_begin, in.scenarios, in.samples) || !rising(in.length_begin, in.scenarios, in.lengths))
        return false;
    if (!rising(in.number_begin, in.scenarios, in.numbers)) return false;
    for (std::int64_t k = 0; k < in.scenarios; ++k) {
        const std::int64_t queues = in.queue_begin[k + 1] - in.queue_begin[k];
        if (queues > std::numeric_limits<std::int32_t>::max() / 2) return false;
        const std::int64_t samples = in.sample_begin[k + 1] - in.sample_begin[k];
        if (queues > 0 && samples > in.lengths / queues) return false;
        if (in.length_begin[k + 1] - in.length_begin[k] != queues * samples) return false;
    }
    return true;
}

// All kinds of runs, and the memory that they keep from one scenario to the next.
class Runs {
   public:
    explicit Runs(Kept *kept) { run_.kept = replay_.kept = kept; }

    Status run(const dtmodel_batch &batch, std::int64_t index) {
        batch.events[index] = 0, batch.bound[index] = 0;
        if (!sound(batch, index)) return REFUSED;
        if (replays(batch, index)) return run(replay_, batch, index);
        if (batch.form[index] == COMPLETE) return replay_.kept ? UNDECIDED_NEXT : run(complete_, batch, index);
        return run(run_, batch, index);
    }

   private:
    Run run_;
    Complete complete_;
    Replay replay_;

    template <class Kind>
    Status run(Kind &kind, const dtmodel_batch &batch, std::int64_t index) {
        Status status = NO_MEMORY;
        try {
            status = kind.run(batch, index);
        } catch (const Undecided &what) {
            status = what.status;
        } catch (const std::bad_alloc &) {
        }
        batch.events[index] = kind.events(), batch.bound[index] = kind.bound();
        return status;
    }
};

template <class Row>
std::int64_t point(const std::vector<Row> &kept, const double **rows) {
    *rows = reinterpret_cast<const double *>(kept.data());
    return static_cast<std::int64_t>(kept.size() * std::tuple_size<Row>::value);
}

}  // namespace

extern "C" {

#define EXPORT __attribute__((visibility("default")))

// Run a batch; returns how many scenarios were not DONE, or -1 if the arrays do not fit together.
EXPORT std::int64_t dtmodel_run(const dtmodel_batch *batch) {
    if (batch == nullptr || !fits(*batch)) return -1;
    std::int64_t open = 0;
    Runs runs(nullptr);
    for (std::int64_t k = 0; k < batch->scenarios; ++k) {
        batch->status[k] = runs.run(*batch, k);
        open += batch->status[k] != DONE;
    }
    return open;
}

// Run the only scenario of a batch and keep its trajectories; null: no memory, or the arrays do not fit together.
EXPORT Kept *dtmodel_trace(const dtmodel_batch *batch) {
    if (batch == nullptr || batch->scenarios != 1 || !fits(*batch)) return nullptr;
    Kept *made = new (std::nothrow) Kept;
    if (made != nullptr) batch->status[0] = Runs(made).run(*batch, 0);
    return made;
}

// Point to rows: those of F for 0, then of each queue its segments and its thresholds; returns how many numbers they are.
EXPORT std::int64_t dtmodel_rows(const Kept *made, std::int64_t which, const double **rows) {
    const auto queue = static_cast<std::size_t>((which - 1) / 2);
    if (which == 0) return point(made->free, rows);
    return which % 2 ? point(made->segments[queue], rows) : point(made->limits[queue], rows);
}

EXPORT void dtmodel_forget(const Kept *made) { delete made; }

// Changes whenever dtmodel_batch or a function above does.
EXPORT std::int64_t dtmodel_interface() { return 6; }

}  // extern "C"
